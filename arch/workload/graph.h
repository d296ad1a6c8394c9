// Which operator must wait for which, and why: the trace as a Boost graph.
//
// Vertex i is operator i. An edge a -> b says that b waits for a, within one iteration of all loops that both stand in,
// or, if it is carried by a loop, in a later iteration of that loop than a's (the innermost for which this holds, and
// outer ones beside it). Edges to the latest write only: what a certain write hides is not searched further back.
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <cstdint>
#include <vector>

#include "arch/workload/trace.h"

namespace archsim {

enum class Dependence : std::uint8_t {
  read_after_write,
  write_after_read,
  write_after_write,
  explicit_order,  // Operator::dependencies
};

struct DependenceEdge {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  Dependence kind = Dependence::read_after_write;
  std::uint32_t tensor = kNone;  // none for an explicit order
  std::uint32_t loop = kNone;    // the loop that carries it; none: within one iteration
  bool is_carried() const { return loop != kNone; }
};

using OperatorGraph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, boost::no_property, DependenceEdge>;

/// Needs a trace whose structure is sound (operators in program order, indices in range); a cycle does no harm here.
OperatorGraph operator_graph(const Trace& trace);

/// For boost::filtered_graph: only the edges within one iteration. Of a valid trace these form no cycle.
struct WithinIteration {
  const OperatorGraph* graph = nullptr;
  bool operator()(OperatorGraph::edge_descriptor edge) const { return !(*graph)[edge].is_carried(); }
};
using IterationGraph = boost::filtered_graph<OperatorGraph, WithinIteration>;
inline IterationGraph within_iteration(const OperatorGraph& graph) { return {graph, WithinIteration{&graph}}; }

/// The operators of one cycle within an iteration, in waiting order (each waits for the next, the last for the first);
/// empty if there is none.
std::vector<std::uint32_t> find_cycle(const OperatorGraph& graph);

}  // namespace archsim
