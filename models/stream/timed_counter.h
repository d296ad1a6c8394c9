// A counter that only counts up, and when it came to each value. The time may lie ahead of the simulation's: whoever computes a
// completion publishes it at once, and whoever waits for it plans with it, without waking in between.
#pragma once

#include <algorithm>
#include <cstdint>
#include <systemc>
#include <vector>

#include "arch/block/what_if/lane_history.h"
#include "arch/describe/diagnostic.h"
#include "arch/program/command.h"
#include "arch/units/quantity.h"

namespace archsim {

class TimedCounter {
 public:
  /// Counts one more, at `when` or when the value before was reached, whichever is later.
  void advance(Cycles when, const Lanes& lanes = Lanes(0.0)) {
    if (!times_.empty()) when = std::max(when, times_.back());
    lanes_.push(lanes_.size() == 0 ? lanes : later(lanes, lanes_[lanes_.size() - 1]));
    ARCHSIM_ASSERT(times_.size() < UINT32_MAX - kCounterStart, "a counter beyond 32 bits");
    times_.push_back(when);
    for (auto waiter = waiters_.begin(); waiter != waiters_.end();) {
      if (waiter->value > value()) {
        ++waiter;
        continue;
      }
      waiter->event->notify(sc_core::SC_ZERO_TIME);
      waiter = waiters_.erase(waiter);
    }
  }

  /// The value that has been published so far.
  std::uint32_t value() const { return kCounterStart + static_cast<std::uint32_t>(times_.size()); }
  /// How often it was counted.
  std::uint64_t count() const { return times_.size(); }
  const std::vector<Cycles>& times() const { return times_; }
  bool has_published(std::uint32_t value) const { return value <= this->value(); }
  /// When it reaches `value`, which has been published.
  Cycles time_of(std::uint32_t value) const {
    return value <= kCounterStart ? Cycles::zero() : times_[value - kCounterStart - 1];
  }

  /// The same in every lane.
  const Lanes& lanes_of(std::uint32_t value) const {
    return lanes_[value <= kCounterStart ? ~std::uint64_t{0} : value - kCounterStart - 1];
  }

  /// Notifies `event` once `value` is published.
  void notify_at(std::uint32_t value, sc_core::sc_event& event) { waiters_.push_back({value, &event}); }

 private:
  struct Waiter {
    std::uint32_t value;
    sc_core::sc_event* event;
  };
  std::vector<Cycles> times_;
  LaneHistory lanes_;
  std::vector<Waiter> waiters_;
};

}  // namespace archsim
