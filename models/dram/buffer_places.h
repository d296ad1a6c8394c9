// The places of a controller's buffer, as the times at which the bursts in them leave.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "arch/units/quantity.h"

namespace archsim {

/// A burst finds a place when all but 31 of the bursts before it have left, in whatever order they do.
class BufferPlaces {
 public:
  /// Of the default controller's buffers (configs/dram/controllers/default.yaml).
  static constexpr std::uint64_t kPlaces = 32;

  /// When the burst after `others` more finds a place, these staying.
  Cycles free_for(std::uint64_t others) const { return Cycles(at(std::min(others, kPlaces - 1))); }

  /// `bursts` that leave one every `apart`, the last one at `last`.
  void add(Cycles last, Cycles apart, std::uint64_t bursts) {
    const std::uint64_t step = apart.value, count = std::min(bursts, kPlaces);
    if (count == 0) return;
    std::uint64_t time = last.value - std::min(last.value, step * (count - 1));
    if (count == kPlaces && time >= at(kPlaces - 1)) {
      for (std::uint64_t i = 0; i < kPlaces; ++i) leave_[i] = time + step * i;
      first_ = 0;
      return;
    }
    for (std::uint64_t i = 0; i < count; ++i, time += step) add(Cycles(time));
  }

  /// A burst that leaves at `time`.
  void add(Cycles time) {
    if (time.value <= at(0)) return;
    // It takes the place of the first to leave, and goes forward past those that leave after it.
    std::uint64_t i = kPlaces - 1;
    ++first_;
    for (; i > 0 && at(i - 1) > time.value; --i) at(i) = at(i - 1);
    at(i) = time.value;
  }

 private:
  std::uint64_t at(std::uint64_t i) const { return leave_[(first_ + i) % kPlaces]; }
  std::uint64_t& at(std::uint64_t i) { return leave_[(first_ + i) % kPlaces]; }

  std::array<std::uint64_t, kPlaces> leave_ = {};  // ascending from first_ on, round
  std::uint64_t first_ = 0;
};

}  // namespace archsim
