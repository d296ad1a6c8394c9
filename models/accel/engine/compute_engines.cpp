#include "models/accel/engine/compute_engines.h"

#include <algorithm>

namespace archsim {

bool ArrayEngine::execute(const Command& command) {
  const Matmul& matmul = std::get<Matmul>(command.payload);
  FoldTiming timing = tile().shape.folds(matmul);
  const auto planned = pipeline_.place(ready(), timing);
  const std::uint64_t alone = (planned.end - planned.begin).value - timing.drain;
  const std::uint64_t needed = tile().ports.cycles_needed(Engine::array, planned.begin, alone, timing.operand_bytes);
  if (needed > alone) {
    timing = timing.stretched(needed, alone);
    tile().stats.stretched += Cycles(needed - alone);
  }
  const auto slot = pipeline_.run(ready(), timing);
  tile().ports.use(Engine::array, slot.begin, slot.end - Cycles(timing.drain), timing.operand_bytes);
  stand_still_until(command, time_of(slot.begin));
  const Time busy = timeline().busy_until(time_of(slot.end));
  tile().context.log->command(command.tag, iteration(), Engine::array,
                              {.start = time_of(slot.begin), .end = time_of(slot.end), .busy = busy});
  count(matmul, timing, busy);
  complete(slot.end);
  return true;
}

void ArrayEngine::count(const Matmul& matmul, const FoldTiming& timing, Time busy) {
  SystolicStats& stats = tile().stats;
  SystolicEvents& events = tile().events;
  const std::uint64_t macs = static_cast<std::uint64_t>(matmul.m) * matmul.k * matmul.n;
  stats.macs += macs;
  stats.mac_slots +=
      static_cast<std::uint64_t>(static_cast<double>(tile().grid.edge_at(busy).value) * tile().shape.peak_macs(matmul));
  switch (rate_dtype(matmul)) {
    case Dtype::int8:
    case Dtype::uint8:
      events.mac_int8 += macs;
      break;
    case Dtype::bf16:
      events.mac_bf16 += macs;
      break;
    case Dtype::fp16:
      events.mac_fp16 += macs;
      break;
    case Dtype::fp32:
    case Dtype::int32:
      events.mac_fp32 += macs;
      break;
  }
  constexpr std::uint64_t kResultBytes = 4;
  const auto results = tile().shape.results(matmul);
  events.scratchpad_read += timing.operand_bytes;
  events.accumulator_written += results.written * kResultBytes;
  events.accumulator_read += results.read * kResultBytes;
}

bool VectorEngine::execute(const Command& command) {
  const Vector& vector = std::get<Vector>(command.payload);
  const VectorTraffic traffic = traffic_of(vector);
  const std::uint64_t bytes = traffic.scratchpad_read + traffic.scratchpad_written;
  const Cycles begin = std::max(ready(), free_);
  const std::uint64_t alone = tile().shape.vector_cycles(vector).value;
  const std::uint64_t needed = tile().ports.cycles_needed(Engine::vector, begin, alone, bytes);
  tile().stats.stretched += Cycles(needed - alone);
  free_ = begin + Cycles(needed);
  tile().ports.use(Engine::vector, begin, free_, bytes);
  stand_still_until(command, time_of(begin));
  const Time busy = timeline().busy_until(time_of(free_));
  tile().context.log->command(command.tag, iteration(), Engine::vector,
                              {.start = time_of(begin), .end = time_of(free_), .busy = busy});
  count(vector, traffic);
  complete(free_);
  return true;
}

void VectorEngine::count(const Vector& vector, const VectorTraffic& traffic) {
  SystolicEvents& events = tile().events;
  const std::uint64_t elements = lane_elements(vector);
  tile().stats.vector_elements += elements;
  events.vector_operation +=
      static_cast<std::uint64_t>(static_cast<double>(elements) * tile().shape.lane_cycles(vector.function));
  events.scratchpad_read += traffic.scratchpad_read;
  events.scratchpad_written += traffic.scratchpad_written;
  events.accumulator_read += traffic.accumulator_read;
  events.accumulator_written += traffic.accumulator_written;
}

}  // namespace archsim
