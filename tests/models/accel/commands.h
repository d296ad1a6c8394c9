// Commands as tests write them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "arch/program/command.h"
#include "models/accel/bench/alone.h"

namespace archsim {

inline Command command(const Payload& payload, std::uint32_t tag = 0) { return {.tag = tag, .payload = payload}; }

/// Waits until `engine` has completed `count` work commands.
inline Command after(Command waiting, Engine engine, std::uint32_t count) {
  waiting.wait_for[static_cast<std::size_t>(engine)] = kCounterStart + count;
  return waiting;
}

inline Dma dense(std::uint64_t bytes, std::uint64_t offset = 0) {
  return {.memory_address = AloneSetup::kMemoryBase + offset,
          .local = LocalAddress::scratchpad(0),
          .row_bytes = static_cast<std::uint32_t>(bytes)};
}

inline Matmul int8_matmul(std::uint32_t m, std::uint32_t k, std::uint32_t n,
                          Dataflow dataflow = Dataflow::weight_stationary) {
  return {.a = LocalAddress::scratchpad(0),
          .w = LocalAddress::scratchpad(1 << 20),
          .out = LocalAddress::accumulator(0),
          .m = m,
          .k = k,
          .n = n,
          .a_pitch = k,
          .w_pitch = n,
          .out_pitch = 4 * n,
          .dataflow = dataflow};
}

inline VectorOperand bf16_rows(std::uint64_t at, std::uint32_t columns) {
  return {.address = LocalAddress::scratchpad(at), .pitch = 2 * columns};
}

inline Vector bf16_vector(VectorFunction function, std::uint32_t rows, std::uint32_t columns) {
  return {.function = function,
          .rows = rows,
          .columns = columns,
          .source = {bf16_rows(0, columns), bf16_rows(1 << 19, columns), bf16_rows(1 << 20, columns)},
          .destination = bf16_rows(3 << 19, columns)};
}

inline std::vector<Command> repeated(const Payload& payload, std::size_t times) {
  std::vector<Command> stream(times, command(payload));
  stream.push_back(command(Halt{}));
  return stream;
}

inline AcceleratorStreams streams(std::initializer_list<std::pair<Engine, std::vector<Command>>> given) {
  AcceleratorStreams all;
  for (const auto& [engine, commands] : given) {
    auto& stream = all.stream[static_cast<std::size_t>(engine)];
    stream = commands;
    if (stream.empty() || !std::holds_alternative<Halt>(stream.back().payload)) stream.push_back(command(Halt{}));
  }
  return all;
}

inline Time sum_of(const EngineReport& engine) {
  Time sum = engine.busy + engine.idle;
  for (const auto& [reason, time] : engine.waits) sum += time;
  return sum;
}

inline Time wait_of(const EngineReport& engine, std::string_view reason) {
  for (const auto& [name, time] : engine.waits) {
    if (name == reason) return time;
  }
  return Time::zero();
}

}  // namespace archsim
