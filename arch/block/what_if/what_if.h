// The run, timed again while it goes on, with one resource doubled at a time: what would that shorten?
//
// Models:     every command of every engine in the order of the run, with its waits; the array with its folds, the vector unit,
//             DMA windows and set-up, and queues for what is shared (lane_memory.h), nine times side by side (lanes.h).
// Leaves out: another mapping for the doubled machine; another order of service; banks and rows of one DRAM channel, whose
//             lost time counts as service; uneven loads of channels, slices and ports.
// Numbers:    those of the models, which hand in what each command and transaction needs.
// Checked by: tests/validate labels (each resource doubled for good), tests/end_to_end/labels_test.cpp.
#pragma once

#include <deque>
#include <map>
#include <utility>

#include "arch/block/what_if/lane_memory.h"

namespace archsim {

class WhatIf {
 public:
  LaneMemory memory;

  /// A doorbell was sent for `semaphore` of `bank`, at `at` in the run as it is. Each pair has one sender, so they arrive in order.
  void ring(std::size_t bank, std::size_t semaphore, Time at, const Lanes& lanes) {
    under_way_[{bank, semaphore}].push_back({at, lanes});
  }
  /// The next one arrives at `now`; the way takes the same in every lane.
  Lanes arrive(std::size_t bank, std::size_t semaphore, Time now) {
    auto& bells = under_way_[{bank, semaphore}];
    if (bells.empty()) return Lanes(now);  // sent by somebody outside
    const auto [at, lanes] = bells.front();
    bells.pop_front();
    return lanes + Lanes(now > at ? now - at : Time::zero());
  }

  /// The last stream halted.
  void halt(const Lanes& when) { end_ = later(end_, when); }
  const Lanes& end() const { return end_; }

 private:
  struct Doorbell {
    Time at = Time::zero();
    Lanes lanes{0.0};
  };
  std::map<std::pair<std::size_t, std::size_t>, std::deque<Doorbell>> under_way_;
  Lanes end_{0.0};
};

}  // namespace archsim
