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
  Cycles free_for(std::uint64_t others) const { return Cycles(leaves(std::min(others, kPlaces - 1))); }

  /// `bursts` that leave one every `apart`, the last one at `last`.
  void add(Cycles last, Cycles apart, std::uint64_t bursts) {
    const std::uint64_t step = apart.value, count = std::min(bursts, kPlaces);
    if (count == 0) return;
    std::uint64_t time = last.value - std::min(last.value, step * (count - 1));
    if (count == kPlaces && time >= leaves(kPlaces - 1)) {
      stream_ = {.is_all = true, .begin = time, .apart = step};
      return;
    }
    for (std::uint64_t i = 0; i < count; ++i, time += step) add(Cycles(time));
  }

  /// A burst that leaves at `time`.
  void add(Cycles time) {
    if (time.value <= leaves(0)) return;
    if (stream_.is_all) write_out();
    // It takes the place of the first to leave, and goes forward past those that leave after it.
    std::uint64_t i = kPlaces - 1;
    ++first_;
    for (; i > 0 && at(i - 1) > time.value; --i) at(i) = at(i - 1);
    at(i) = time.value;
  }

 private:
  // A long stream takes all places; they are written out when something comes among them.
  struct Stream {
    bool is_all = false;
    std::uint64_t begin = 0, apart = 0;
  };

  std::uint64_t leaves(std::uint64_t i) const {
    return stream_.is_all ? stream_.begin + stream_.apart * i : leave_[(first_ + i) % kPlaces];
  }
  void write_out() {
    for (std::uint64_t i = 0; i < kPlaces; ++i) leave_[i] = leaves(i);
    first_ = 0;
    stream_.is_all = false;
  }
  std::uint64_t& at(std::uint64_t i) { return leave_[(first_ + i) % kPlaces]; }

  std::array<std::uint64_t, kPlaces> leave_ = {};  // ascending from first_ on, round
  std::uint64_t first_ = 0;
  Stream stream_;
};

}  // namespace archsim
