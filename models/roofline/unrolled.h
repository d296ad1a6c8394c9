// A trace's executed instances in program order, each with what it reads and from whom: the graph that the bound walks.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "arch/workload/trace.h"

namespace archsim {

/// A set of nodes as sorted half-open ranges of program order; a trace's chains keep them few.
using NodeSet = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Adds `more` to `set`.
void unite(NodeSet& set, const NodeSet& more);
bool contains(const NodeSet& set, std::uint32_t node);

/// One output of one executed instance; an operator that splits its columns over several outputs has a node for each,
/// because whoever reads one of them does not wait for the others.
struct Node {
  std::uint32_t op = 0;
  std::uint64_t iteration = 0;                  // as in OperatorRun
  double share = 1.0;                           // of the instance's work and weights
  bool ends_iteration = false;                  // the last live node of an iteration of some loop ...
  bool ends_outer = false;                      // ... of a stage's own loop
  std::uint32_t first_read = 0, last_read = 0;  // in Unrolled::reads
};

struct Read {
  static constexpr std::uint32_t kNobody = 0xFFFFFFFF;
  static constexpr std::uint32_t kOrder = 0xFFFFFFFF;
  std::uint32_t from = kNobody;  // node that wrote it last; nobody: it lies in DRAM from the start
  std::uint32_t copy = 0;        // number of this tensor copy among all
  std::uint32_t input = 0;       // which input of the operator; kOrder: an explicit dependency, no data
};

struct Unrolled {
  std::vector<Node> nodes;
  std::vector<Read> reads;
  std::uint32_t copies = 0;  // of all tensors
};

Unrolled unroll(const Trace& trace);

}  // namespace archsim
