// A DMA's requests: bursts in order, so many under way at most.
//
//   request(j) = max(request(j - 1) + interval, return(j - outstanding), start)
//   return(j)  = max(request(j) + latency, memory(j), return(j - 1) + port time of burst j)
//
// `memory(j)` is when the memory system, which served the whole piece at once, delivered burst j: evenly spread from its
// first data to its end. A long stream therefore runs at the least of the memory's rate, the port's and
// outstanding * burst / latency.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "arch/units/quantity.h"

namespace archsim {

/// Bytes of the largest transaction: long enough that its cost is small against its bytes, short enough that transfers of
/// several initiators interleave nearly as their bursts would.
constexpr std::uint64_t kLargestPiece = 16 << 10;

/// A part of a descriptor that is sent as one extent.
struct Piece {
  std::uint64_t base = 0;
  std::uint64_t row_bytes = 0;
  std::uint64_t rows = 1;
  std::int64_t pitch = 0;

  std::uint64_t bytes() const { return row_bytes * rows; }
};

class BurstWindow {
 public:
  /// `interval`: from one request to the next, at least.
  BurstWindow(unsigned outstanding, Time interval) : returned_(outstanding, 0), interval_(interval.value) {}

  /// When the next burst can be requested, not before `from`.
  Time next_request(Time from) const {
    return Time(std::max({from.value, has_requested_ ? requested_ + interval_ : 0, returned_[head_]}));
  }

  /// How the memory system served a piece.
  struct Served {
    Time start = Time::zero();       // when it was asked
    Time first_data = Time::zero();  // when its first data moved
    Time done = Time::zero();
    Time latency = Time::zero();  // of one burst on an idle path
  };
  /// The bursts of one row, and what each takes at the port.
  struct RowBursts {
    std::uint64_t whole = 0;
    Time whole_time = Time::zero();
    std::uint64_t rest = 0;  // 1 if a shorter one follows
    Time rest_time = Time::zero();
  };

  /// When the last burst of `rows` rows is there.
  Time transfer(const Served& served, std::uint64_t rows, const RowBursts& row) {
    const std::uint64_t bursts = rows * (row.whole + row.rest);
    constexpr unsigned kFraction = 8;  // bits, so that spreading evenly does not lose a burst's worth of rounding
    const std::uint64_t first = std::min(served.first_data, served.done).value;
    const std::uint64_t step = ((served.done.value - first) << kFraction) / bursts;
    std::uint64_t delivered = first << kFraction;
    for (std::uint64_t i = 0; i < rows; ++i) {
      for (std::uint64_t j = 0; j < row.whole; ++j)
        pass(served, (delivered += step) >> kFraction, row.whole_time.value);
      if (row.rest != 0) pass(served, (delivered += step) >> kFraction, row.rest_time.value);
    }
    last_return_ = std::max(last_return_, served.done.value);
    returned_[head_ == 0 ? returned_.size() - 1 : head_ - 1] = last_return_;
    return Time(last_return_);
  }

 private:
  void pass(const Served& served, std::uint64_t delivered, std::uint64_t port_time) {
    std::uint64_t& oldest = returned_[head_];
    requested_ = std::max({served.start.value, has_requested_ ? requested_ + interval_ : 0, oldest});
    has_requested_ = true;
    last_return_ = std::max({requested_ + served.latency.value, delivered, last_return_ + port_time});
    oldest = last_return_;
    if (++head_ == returned_.size()) head_ = 0;
  }

  std::vector<std::uint64_t> returned_;  // of the last `outstanding` bursts, picoseconds
  std::size_t head_ = 0;
  std::uint64_t interval_;
  std::uint64_t requested_ = 0, last_return_ = 0;
  bool has_requested_ = false;
};

}  // namespace archsim
