// When the commands of a stream come to issue: fetched ahead, loops executed, checked, three waiting at most.
//
// Models:     a command a cycle through the sequencer; a cycle for each loop command, and one more for each stride of a loop that is
//             left; a jump, behind which what was fetched is thrown away; the fetches that may be under way.
// Leaves out: the port of the program memory that the four streams share.
// Numbers:    a command is fetched 3 cycles after it is asked for, and can issue 3 cycles after it leaves the queue: accel-rtl/README.md.
// Checked by: tests/models/accel/issue_test.cpp by sums, tests/rtl/loops_test.cpp beside the RTL.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arch/program/sequencer.h"
#include "arch/units/quantity.h"

namespace archsim {

class IssueClock {
 public:
  /// `queue_depth`: commands that are asked for or wait in the queue. At time 0 they have been fetched.
  explicit IssueClock(unsigned queue_depth);

  /// Takes the next command, behind these loop commands. The first cycle in which it may issue.
  Cycles arrive(const std::vector<LoopStep>& passed);
  /// It issued in this cycle.
  void issued(Cycles when);

 private:
  using Cycle = std::int64_t;

  /// The next command of the queue leaves it, not before `from`, and `longer` cycles later.
  Cycle take(Cycle from, Cycle longer);
  Cycle next_ask() const;
  void push(Cycle asked, Cycle released);
  void jump(Cycle taken);

  std::vector<Cycle> released_;  // when the places of the last asks were free again, oldest at next_
  std::size_t next_ = 0;
  Cycle last_ask_;
  Cycle sequencer_free_;
  std::array<Cycle, 3> issued_;  // of the last commands, oldest first
};

}  // namespace archsim
