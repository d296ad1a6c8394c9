// The array's pipeline (models/accel/timing/array.h) in every lane of the what-if timing.
#pragma once

#include "arch/machine/lanes.h"
#include "models/accel/timing/array.h"

namespace archsim {

class LaneArray {
 public:
  LaneArray(Overlap overlap, double cycle_ps) : overlap_(overlap), cycle_ps_(cycle_ps) {}

  struct Slot {
    Lanes begin, end;
  };
  /// `more_macs`, `wider`: the same command in the lanes `compute` and `sram`.
  Slot run(const Lanes& ready, const FoldTiming& timing, const FoldTiming& more_macs, const FoldTiming& wider) {
    const auto lanes = [&](auto cycles) {
      const auto ps = [&](const FoldTiming& t) { return static_cast<double>(cycles(t)) * cycle_ps_; };
      return Lanes(ps(timing)).with(Doubling::compute, ps(more_macs)).with(Doubling::sram, ps(wider));
    };
    if (overlap_ == Overlap::none) {
      const Lanes begin = later(ready, end_);
      end_ = begin + lanes([](const FoldTiming& t) { return t.latency(Overlap::none).value; });
      return {begin, end_};
    }
    const bool preloads = timing.preload != 0;
    const Lanes offset = lanes([](const FoldTiming& t) { return t.output_offset(); });
    const Lanes begin = preloads ? later(ready, shadow_free_) : ready;
    const Lanes loaded = begin + lanes([](const FoldTiming& t) { return t.preload; });
    const Lanes start = later(later(loaded, stream_free_), output_free_ - offset);
    const Lanes last_start = start + lanes([](const FoldTiming& t) { return (t.folds - 1) * t.interval; });
    if (preloads) shadow_free_ = last_start;
    stream_free_ = last_start + lanes([](const FoldTiming& t) { return t.stream; });
    output_free_ = last_start + offset + lanes([](const FoldTiming& t) { return t.output_length(); });
    end_ = last_start + lanes([](const FoldTiming& t) { return t.stream + t.tail(Overlap::full); });
    return {preloads ? begin : start, end_};
  }

 private:
  Overlap overlap_;
  double cycle_ps_;
  Lanes shadow_free_{0.0}, stream_free_{0.0}, output_free_{0.0}, end_{0.0};
};

}  // namespace archsim
