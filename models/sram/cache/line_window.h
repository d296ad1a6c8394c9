// Lines on their way, a limited number of them.
//
//   asked(j) = max(ready(j), asked(j - 1) + interval, there(j - places))
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "arch/units/quantity.h"

namespace archsim {

class LineWindow {
 public:
  LineWindow(unsigned places, Time interval) : there_(places, Time::zero()), interval_(interval) {}

  /// When the next line can be asked for, not before `ready`.
  Time next(Time ready) const { return std::max(due(ready), there_[head_]); }
  /// It is asked for then.
  Time ask(Time ready) {
    const Time due_at = due(ready);
    asked_ = std::max(due_at, there_[head_]);
    has_asked_ = true;
    if (asked_ > due_at) {
      ++waits_;
      waited_ += asked_ - due_at;
    }
    return asked_;
  }
  /// The line that was asked for last.
  void arrives(Time at) {
    there_[head_] = at;
    if (++head_ == there_.size()) head_ = 0;
  }

  std::uint64_t waits() const { return waits_; }  // lines that waited for a place
  Time waited() const { return waited_; }

 private:
  Time due(Time ready) const { return has_asked_ ? std::max(ready, asked_ + interval_) : ready; }

  std::vector<Time> there_;  // of the last `places` lines
  std::size_t head_ = 0;
  Time interval_;
  Time asked_ = Time::zero(), waited_ = Time::zero();
  std::uint64_t waits_ = 0;
  bool has_asked_ = false;
};

}  // namespace archsim
