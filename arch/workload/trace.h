// A workload as the simulator consumes it: operators in program order, with repetition kept as structure.
//
// Meaning. A stage runs its body `count` times; a repeat inside it likewise; so an operator has one executed instance
// for each combination of its enclosing loops' iterations. Execution is sequential in program order as far as *data* is
// concerned: a read of a tensor copy sees the latest write to that copy, in this or an earlier iteration. Machines may
// reorder whatever that does not forbid. A tensor that is read before any write must be a weight, constant or input
// (or a KV cache that the trace never writes: it holds what was there before).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "arch/workload/operator.h"
#include "arch/workload/tensor.h"

namespace archsim {

struct Loop {
  std::string name;  // "flow_step", "layers"
  std::uint32_t count = 1;
};

struct Repeat;
using Step = std::variant<std::uint32_t /* index into Trace::operators */, Repeat>;

struct Repeat {
  std::uint32_t loop = 0;  // index into Trace::loops
  std::vector<Step> body;
};

struct Stage {
  std::string name;
  Repeat repeat;
};

struct Trace {
  std::string model;
  std::map<std::string, std::string> parameters;  // the workload parameters it was built with, as text
  std::string digest;                             // of the file it came from; empty if it was built in memory
  std::vector<Tensor> tensors;
  std::vector<Loop> loops;
  std::vector<Operator> operators;  // in program order; each stands in exactly one body
  std::vector<Stage> stages;
};

/// Where an operator stands: its stage and its enclosing loops, outermost (the stage's own) first.
struct Position {
  std::uint32_t stage = 0;
  std::vector<std::uint32_t> loops;
  std::uint64_t instances = 1;  // product of the loops' counts
};

/// One Position for each operator of `trace`.
std::vector<Position> positions(const Trace& trace);

}  // namespace archsim
