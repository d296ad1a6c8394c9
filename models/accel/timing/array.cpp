#include "models/accel/timing/array.h"

#include <algorithm>
#include <cmath>

namespace archsim {
namespace {

/// Cycles for `vectors` vectors at `rate` vectors a cycle.
std::uint64_t cycles_at(std::uint64_t vectors, double rate) {
  if (rate == 1.0) return vectors;
  return static_cast<std::uint64_t>(std::ceil(static_cast<double>(vectors) / rate - 1e-9));
}

std::uint64_t scaled(std::uint64_t cycles, std::uint64_t numerator, std::uint64_t denominator) {
  return static_cast<std::uint64_t>((static_cast<Wide>(cycles) * numerator + denominator - 1) / denominator);
}

struct Operands {
  std::uint64_t held = 0, streamed = 0;  // bytes of one whole fold
};
struct Packings {
  Packing held, streamed;
};

/// Stationary weights; stationary inputs are the same with the operands exchanged.
FoldTiming held_in_pes(const ArrayGeometry& array, std::uint64_t k, std::uint64_t held, std::uint64_t streamed,
                       const Packings& as, Operands& fold) {
  const auto rows_of_k =
      static_cast<std::uint64_t>(std::floor(static_cast<double>(array.rows) * std::max(array.macs_per_pe, 1.0)));
  const auto fold_k = std::min(k, rows_of_k);
  FoldTiming timing;
  timing.folds = ceil_div(k, rows_of_k) * ceil_div(held, array.columns);
  timing.preload = array.rows;
  timing.stream = cycles_at(streamed, std::min(array.macs_per_pe, 1.0));
  fold = {.held = as.held.bytes(fold_k * std::min(held, array.columns)),
          .streamed = as.streamed.bytes(fold_k * streamed)};
  return timing;
}

FoldTiming held_outputs(const ArrayGeometry& array, const ArrayWork& work, Operands& fold) {
  FoldTiming timing;
  timing.folds = ceil_div(work.m, array.rows) * ceil_div(work.n, array.columns);
  timing.stream = cycles_at(work.k, array.macs_per_pe);
  timing.outputs_stay = true;
  fold = {.held = 0,
          .streamed = work.a.bytes(work.k * std::min(work.m, array.rows)) +
                      work.w.bytes(work.k * std::min(work.n, array.columns))};
  return timing;
}

}  // namespace

ArrayWork ArrayWork::of(const Matmul& matmul) {
  return {.m = matmul.m,
          .k = matmul.k,
          .n = matmul.n,
          .dataflow = matmul.dataflow,
          .a = matmul.a_packing(),
          .w = matmul.w_packing(),
          .transpose_w = matmul.transpose_w};
}

FoldTiming fold_timing(const ArrayGeometry& array, const ArrayWork& work) {
  FoldTiming timing;
  Operands fold;
  switch (work.dataflow) {
    case Dataflow::weight_stationary:
      timing = held_in_pes(array, work.k, work.n, work.m, {.held = work.w, .streamed = work.a}, fold);
      break;
    case Dataflow::input_stationary:
      timing = held_in_pes(array, work.k, work.m, work.n, {.held = work.a, .streamed = work.w}, fold);
      break;
    case Dataflow::output_stationary:
      timing = held_outputs(array, work, fold);
      break;
  }
  timing.rows = array.rows;
  timing.drain = array.rows + array.columns - 2;
  timing.operand_bytes = timing.folds * (fold.held + fold.streamed);
  timing.preload = std::max(timing.preload, ceil_div(fold.held, array.port_bytes));
  timing.stream = std::max(timing.stream, ceil_div(fold.streamed, array.port_bytes));
  const bool by_columns = work.transpose_w && work.dataflow != Dataflow::input_stationary;
  timing.hold = std::max({timing.outputs_stay ? timing.stream : timing.preload, array.rows,
                          by_columns ? array.columns : std::uint64_t{0}});
  timing.pace = std::max(timing.stream, ceil_div(fold.held + fold.streamed, array.port_bytes));
  timing.interval = std::max(timing.pace, timing.hold);
  return timing;
}

std::uint64_t last_cycle(const ArrayGeometry& array, const ArrayWork& work, Overlap overlap) {
  return fold_timing(array, work).latency(overlap).value - 1;
}

std::uint64_t FoldTiming::tail(Overlap overlap) const {
  return overlap == Overlap::none ? drain : std::max<std::uint64_t>(drain, 1);
}

Cycles FoldTiming::latency(Overlap overlap) const {
  if (overlap == Overlap::none) return Cycles(folds * (preload + stream + drain));
  return Cycles(preload + (folds - 1) * interval + stream + tail(overlap));
}

Cycles FoldTiming::occupancy(Overlap overlap) const {
  return overlap == Overlap::none ? latency(overlap) : Cycles(folds * interval);
}

FoldTiming FoldTiming::stretched(std::uint64_t numerator, std::uint64_t denominator) const {
  if (numerator <= denominator) return *this;
  FoldTiming slow = *this;
  slow.preload = scaled(preload, numerator, denominator);
  slow.stream = scaled(stream, numerator, denominator);
  slow.hold = scaled(hold, numerator, denominator);
  slow.pace = std::max(slow.stream, scaled(pace, numerator, denominator));
  slow.interval = std::max({interval, slow.hold, slow.preload, slow.stream, scaled(interval, numerator, denominator)});
  return slow;
}

ArrayPipeline::Placed ArrayPipeline::placed(Cycles ready, const FoldTiming& timing) const {
  if (overlap_ == Overlap::none) {
    const Cycles begin = std::max(ready, end_);
    return {.slot = {.begin = begin, .end = begin + timing.latency(overlap_)},
            .last_start = begin,
            .shadow_free = begin + timing.latency(overlap_)};
  }
  const Cycles offset(timing.output_offset());
  const Cycles output_allows = output_free_ > offset ? output_free_ - offset : Cycles::zero();
  const Cycles preload_begin = std::max(ready, shadow_free_);
  const Cycles loaded = timing.preload == 0 ? ready : preload_begin + Cycles(timing.preload);
  const Cycles start = std::max({loaded, stream_free_, output_allows});
  const std::uint64_t more = timing.folds - 1;
  // A fold preloads once the one before has started, and once that one's preload has let go of the scratchpad.
  Cycles last_preload = preload_begin, last_start = start;
  if (more > 0 && timing.preload == 0) last_start = start + Cycles(more * timing.interval);
  if (more > 0 && timing.preload != 0) {
    last_preload = std::max(start + Cycles((more - 1) * timing.interval), preload_begin + Cycles(more * timing.hold));
    last_start = std::max(last_preload + Cycles(timing.preload), start + Cycles(more * timing.pace));
  }
  return {.slot = {.begin = timing.preload == 0 ? start : preload_begin,
                   .end = last_start + Cycles(timing.stream + timing.tail(overlap_))},
          .last_start = last_start,
          .shadow_free = std::max(last_start, last_preload + Cycles(timing.hold))};
}

ArrayPipeline::Slot ArrayPipeline::place(Cycles ready, const FoldTiming& timing) const {
  return placed(ready, timing).slot;
}

ArrayPipeline::Slot ArrayPipeline::run(Cycles ready, const FoldTiming& timing) {
  const auto [slot, last_start, shadow_free] = placed(ready, timing);
  if (timing.preload != 0) shadow_free_ = shadow_free;
  stream_free_ = last_start + Cycles(timing.outputs_stay ? timing.hold : timing.stream);
  output_free_ = last_start + Cycles(timing.output_offset() + timing.output_length());
  end_ = slot.end;
  return slot;
}

}  // namespace archsim
