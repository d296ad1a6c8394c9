// Models: the bound (bound.h) of one trace on many machines, each after the first in a tenth of the time.
// Leaves out: what bound() leaves out; the times are its but for the order of sums.
// Numbers: none of its own. Which work must follow which moment is the trace's matter, unless another operator falls to the
//   host or host operations end in another order: then it is recorded anew.
// Checked by: tests/models/roofline/recorded_test.cpp (equal to bound() on random traces and machines).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/roofline/bound.h"

namespace archsim {

/// What the bound says of stages and the whole; operators are left out.
struct StageBounds {
  Time time = Time::zero();
  std::vector<Time> stages;               // ends, in trace order
  std::vector<std::uint64_t> dram_bytes;  // as in Bound
};

class RecordedBound {
 public:
  /// Needs a valid trace, which must outlive it.
  explicit RecordedBound(const Trace& trace);
  ~RecordedBound();
  RecordedBound(const RecordedBound&) = delete;
  RecordedBound& operator=(const RecordedBound&) = delete;

  StageBounds operator()(const MachineView& machine);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace archsim
