// Something shared that serves one after another, in every lane: a memory's channels, a link.
//
// First come, first served, in the order of the run as it was. The latest idle time is remembered, and taken by whoever is booked
// later but was there before: in the run, too, such gaps are filled (arch/block/timing/calendar.h).
#pragma once

#include "arch/machine/lanes.h"

namespace archsim {

class LaneServer {
 public:
  /// Serves `length` from `arrival` on; when it is through.
  Lanes book(const Lanes& arrival, const Lanes& length) {
    using Pair = Lanes::Pair;
    constexpr Pair kNothing{0.0, 0.0};
    Lanes end = arrival;
    for (std::size_t i = 0; i < Lanes::kPairs; ++i) {
      const Pair from = arrival.pair(i), free = free_.pair(i), gap_begin = gap_begin_.pair(i),
                 gap_end = gap_end_.pair(i);
      const Pair in_gap = Lanes::later(from, gap_begin);
      const Pair used = Lanes::earlier(Lanes::later(gap_end - in_gap, kNothing), length.pair(i));
      const Pair rest = length.pair(i) - used;
      const auto fits = rest <= kNothing;
      const auto opens = (from > free) & ~fits;  // a new gap
      const Pair behind = Lanes::later(from, free) + rest;
      end.pair(i) = fits ? in_gap + used : behind;
      gap_begin_.pair(i) = opens ? free : (used > kNothing ? in_gap + used : gap_begin);
      gap_end_.pair(i) = opens ? from : gap_end;
      free_.pair(i) = fits ? free : behind;
    }
    return end;
  }

 private:
  Lanes free_{0.0}, gap_begin_{0.0}, gap_end_{0.0};
};

}  // namespace archsim
