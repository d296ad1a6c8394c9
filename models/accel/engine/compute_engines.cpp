#include "models/accel/engine/compute_engines.h"

#include <algorithm>

namespace archsim {

bool ArrayEngine::execute(const Command& command) {
  const Matmul& matmul = std::get<Matmul>(command.payload);
  FoldTiming timing = tile().shape.folds(matmul);
  const auto planned = pipeline_.place(ready(), timing);
  const std::uint64_t alone = (planned.end - planned.begin).value - timing.tail(tile().params.overlap);
  const std::uint64_t needed = tile().ports.cycles_needed(Engine::array, planned.begin, alone, timing.operand_bytes);
  if (needed > alone) {
    timing = timing.stretched(needed, alone);
    tile().stats.stretched += Cycles((needed - alone) * weight());
  }
  const auto slot = pipeline_.run(ready(), timing);
  queue_[oldest_] = pipeline_.stream_free() + Cycles(1);
  oldest_ = (oldest_ + 1) % queue_.size();
  tile().ports.use(Engine::array, slot.begin, slot.end - Cycles(timing.tail(tile().params.overlap)),
                   timing.operand_bytes);
  stand_still_until(command, time_of(slot.begin));
  const Time busy = timeline().busy_until(time_of(slot.end));
  const auto lanes = again(matmul, timing, needed, alone);
  turn_to(command);
  tile().context.log->command(
      command.tag, iteration(), {Engine::array, tile().context.accelerator},
      {.start = time_of(slot.begin), .end = time_of(slot.end), .busy = busy, .first = lanes.begin, .last = lanes.end});
  const EventScope scope(tile(), command.tag, iteration());
  count(matmul, timing, busy);
  complete(slot.end, lanes.end);
  return true;
}

LaneArray::Slot ArrayEngine::again(const Matmul& matmul, const FoldTiming& timing, std::uint64_t needed,
                                   std::uint64_t alone) {
  FoldTiming wider = tile().wider_scratchpad.folds(matmul);
  if (needed > alone) {
    wider = wider.stretched(ceil_div(needed, 2),
                            wider.latency(tile().params.overlap).value - wider.tail(tile().params.overlap));
  }
  return lanes_.run(lanes_ready(), timing, tile().more_macs.folds(matmul), wider);
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
    case Dtype::fp8_e4m3:
    case Dtype::fp8_e5m2:
      events.mac_fp8 += macs;
      break;
    case Dtype::int4:
      events.mac_int4 += macs;
      break;
    case Dtype::mxfp8:
      events.mac_mxfp8 += macs;
      break;
    case Dtype::mxfp4:
    case Dtype::nvfp4:
      events.mac_fp4 += macs;
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
  // Weights that stay pass the decoder once; others with each fold of rows.
  if (!matmul.is_w_native()) {
    const bool stays = matmul.dataflow == Dataflow::weight_stationary;
    const std::uint64_t times = stays ? 1 : ceil_div(std::uint64_t{matmul.m}, std::uint64_t{tile().params.rows});
    events.weight_decoded += std::uint64_t{matmul.k} * matmul.n * times;
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
  tile().stats.stretched += Cycles((needed - alone) * weight());
  free_ = begin + Cycles(needed);
  tile().ports.use(Engine::vector, begin, free_, bytes);
  stand_still_until(command, time_of(begin));
  const Time busy = timeline().busy_until(time_of(free_));
  const Lanes length = lengths(vector, needed, alone);
  const Lanes first = later(lanes_ready(), lanes_free_);
  lanes_free_ = first + length;
  turn_to(command);
  tile().context.log->command(
      command.tag, iteration(), {Engine::vector, tile().context.accelerator},
      {.start = time_of(begin), .end = time_of(free_), .busy = busy, .first = first, .last = lanes_free_});
  const EventScope scope(tile(), command.tag, iteration());
  count(vector, traffic);
  complete(free_, lanes_free_);
  return true;
}

Lanes VectorEngine::lengths(const Vector& vector, std::uint64_t needed, std::uint64_t alone) const {
  const auto ps = [&](std::uint64_t cycles) { return static_cast<double>(cycles) * tile().cycle_ps; };
  const std::uint64_t more = tile().more_lanes.vector_cycles(vector).value;
  const std::uint64_t wider = tile().wider_scratchpad.vector_cycles(vector).value;
  const bool is_stretched = needed > alone;
  return Lanes(ps(needed))
      .with(Doubling::vector, ps(is_stretched ? std::max(more, needed) : more))
      .with(Doubling::sram, ps(is_stretched ? std::max(wider, ceil_div(needed, 2)) : wider));
}

void VectorEngine::count(const Vector& vector, const VectorTraffic& traffic) {
  SystolicEvents& events = tile().events;
  const std::uint64_t elements = lane_elements(vector);
  tile().stats.vector_elements += elements;
  events.vector_operation +=
      static_cast<std::uint64_t>(static_cast<double>(elements) * tile().shape.lane_cycles(vector));
  events.scratchpad_read += traffic.scratchpad_read;
  events.scratchpad_written += traffic.scratchpad_written;
  events.accumulator_read += traffic.accumulator_read;
  events.accumulator_written += traffic.accumulator_written;
}

}  // namespace archsim
