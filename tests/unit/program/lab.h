// A machine of one accelerator and a program written by hand, for tests.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "arch/program/check/check.h"
#include "arch/program/functional/machine.h"
#include "arch/program/numbers/element.h"

namespace archsim {

class Lab {
 public:
  static constexpr std::uint64_t kDram = 0x1000'0000;
  static constexpr std::uint64_t kL2 = 0x8000;
  /// The count to wait for so that `n` commands have completed.
  static constexpr std::uint32_t after(std::uint32_t n) { return kCounterStart + n; }

  explicit Lab(std::size_t accelerators = 1) {
    limits.memories = {{.name = "dram", .base = kDram, .bytes = 1 << 20}, {.name = "l2", .base = kL2, .bytes = 4096}};
    for (std::size_t a = 0; a < accelerators; ++a) {
      limits.accelerators.push_back({.name = "npu" + std::to_string(a), .scratchpad = 4096, .accumulator = 2048});
    }
    program.accelerators.resize(accelerators);
  }

  std::vector<Command>& stream(Engine engine, std::size_t accelerator = 0) {
    return program.accelerators[accelerator].stream[static_cast<std::size_t>(engine)];
  }
  /// Appends a command that waits for these completions of load, array, vector, store (0: no wait).
  void add(Engine engine, Payload payload, std::array<std::uint32_t, kEngines> done = {}, std::size_t accelerator = 0) {
    Command command{.payload = payload};
    for (std::size_t e = 0; e < kEngines; ++e) command.wait_for[e] = done[e] == 0 ? 0 : after(done[e]);
    stream(engine, accelerator).push_back(command);
  }
  void end_streams() {
    for (auto& accelerator : program.accelerators) {
      for (auto& commands : accelerator.stream) commands.push_back({.payload = Halt{}});
    }
    program.host.push_back({.payload = Halt{}});
  }

  /// Memory as the run starts.
  template <class T>
  void put(std::uint64_t address, const std::vector<T>& values) {
    const auto view = std::as_bytes(std::span(values));
    initial.emplace_back(address, std::vector<std::byte>(view.begin(), view.end()));
  }
  void put_bf16(std::uint64_t address, const std::vector<float>& values) {
    std::vector<std::uint16_t> bits;
    for (const float value : values) bits.push_back(bf16_from(value));
    put(address, bits);
  }

  /// Runs the program, once the streams have ended, in the order of `seed`.
  FunctionalResult run(std::uint64_t seed = 1) {
    machine = std::make_unique<FunctionalMachine>(trace, program, limits);
    for (const auto& [address, bytes] : initial) machine->memory().write(address, bytes);
    return machine->run(seed);
  }
  template <class T>
  std::vector<T> get(std::uint64_t address, std::size_t count) const {
    std::vector<T> values(count);
    machine->memory().read(address, std::as_writable_bytes(std::span(values)));
    return values;
  }
  std::vector<float> get_bf16(std::uint64_t address, std::size_t count) const {
    std::vector<float> values;
    for (const auto bits : get<std::uint16_t>(address, count)) values.push_back(from_bf16(bits));
    return values;
  }

  Trace trace;
  Program program;
  ProgramLimits limits;
  std::vector<std::pair<std::uint64_t, std::vector<std::byte>>> initial;
  std::unique_ptr<FunctionalMachine> machine;
};

/// A contiguous piece, as a load or a store.
inline Dma piece(std::uint64_t address, LocalAddress local, std::uint32_t bytes) {
  return {.memory_address = address, .local = local, .row_bytes = bytes};
}

}  // namespace archsim
