// The edges of one clock, for models that count in cycles: the same edges as edge_time(), at the price of one division.
#pragma once

#include <cstdint>
#include <numeric>

#include "arch/units/quantity.h"

namespace archsim {

class ClockGrid {
 public:
  explicit ClockGrid(Frequency clock) : clock_(clock) {
    const std::uint64_t common = std::gcd(kPicosecondsPerSecond, clock.value);
    picoseconds_ = kPicosecondsPerSecond / common;
    cycles_ = clock.value / common;
  }

  Frequency clock() const { return clock_; }

  Time time_of(Cycles edge) const {
    if (cycles_ == 1) return Time(edge.value * picoseconds_);
    return fits(edge.value, picoseconds_) ? Time((edge.value * picoseconds_ + cycles_ / 2) / cycles_)
                                          : edge_time(clock_, edge);
  }

  /// The first edge at or after `time`.
  Cycles edge_at(Time time) const {
    if (cycles_ == 1) return Cycles((time.value + picoseconds_ - 1) / picoseconds_);
    if (!fits(time.value, cycles_)) return next_edge(clock_, time);
    Cycles edge(time.value * cycles_ / picoseconds_);
    while (time_of(edge) < time) edge += Cycles(1);
    while (edge > Cycles::zero() && time_of(edge - Cycles(1)) >= time) edge -= Cycles(1);
    return edge;
  }

  /// How long `cycles` take, rounded to a picosecond.
  Time span(Cycles cycles) const { return time_of(cycles); }

 private:
  static bool fits(std::uint64_t a, std::uint64_t b) { return a < (std::uint64_t{1} << 62) / b; }

  Frequency clock_;
  std::uint64_t picoseconds_ = 1, cycles_ = 1;  // `cycles_` cycles take `picoseconds_`, in lowest terms
};

}  // namespace archsim
