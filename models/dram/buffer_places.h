// The places of a controller's buffer, as the times at which the bursts in them leave.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "arch/units/quantity.h"

namespace archsim {

/// A burst finds a place when all but `places - 1` of the bursts before it have left, in whatever order they do.
class BufferPlaces {
 public:
  explicit BufferPlaces(std::size_t places) : leave_(places, Cycles::zero()) {}

  /// When the burst after `others` more finds a place, these staying.
  Cycles free_for(std::uint64_t others) const { return leave_[std::min<std::uint64_t>(others, leave_.size() - 1)]; }

  /// A burst that leaves at `time`.
  void add(Cycles time) {
    if (time <= leave_.front()) return;
    std::size_t i = 0;
    for (; i + 1 < leave_.size() && leave_[i + 1] < time; ++i) leave_[i] = leave_[i + 1];
    leave_[i] = time;
  }

  /// `bursts` that leave one every `apart`, the last one at `last`.
  void add(Cycles last, Cycles apart, std::uint64_t bursts) {
    const std::uint64_t count = std::min<std::uint64_t>(bursts, leave_.size());
    if (count < leave_.size() || last - apart * (count - 1) < leave_.back()) {
      for (std::uint64_t i = count; i > 0; --i) add(last - apart * (i - 1));
      return;
    }
    for (std::uint64_t i = 0; i < count; ++i) leave_[i] = last - apart * (count - 1 - i);
  }

 private:
  std::vector<Cycles> leave_;  // ascending
};

}  // namespace archsim
