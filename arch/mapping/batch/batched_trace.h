// Repeats whose iterations do not need each other, done at once: the cameras of a vision encoder share each fetch of a weight
// and fill the rows of an array together.
#pragma once

#include <optional>

#include "arch/mapping/batch/joined_copies.h"
#include "arch/program/program.h"
#include "arch/workload/trace.h"

namespace archsim {

/// A trace that computes the same with fewer, larger instances. Operators keep their numbers; tensors and loops that were
/// added stand behind those of the original.
struct BatchedTrace {
  Trace trace;
  JoinedCopies joined;
  std::vector<Batch> batches;  // by operator
};

/// `trace` as it is.
BatchedTrace unbatched(const Trace& trace);

/// `from` with loop `loop` taken apart: each step of its body that can be done for all iterations at once, row below row, is,
/// and what lies between such steps repeats as before. nullopt: an iteration may need another one, a result of the last
/// one is needed by name, or no product would be batched.
std::optional<BatchedTrace> batched(const BatchedTrace& from, std::uint32_t loop);

}  // namespace archsim
