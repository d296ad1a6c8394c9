// Extents of every value, and elements of those that are known before the model runs.
#pragma once

#include "traces/import/onnx/graph/graph.h"

namespace archsim::onnx_graph {

/// Infers and folds node by node. Nodes whose operands are all stored are no work any more and leave the graph; so do those
/// that nothing needs. All nodes that contradict themselves are told at once.
void settle(Graph& graph, Diagnostics& problems);

/// Nodes that no output needs leave the graph.
void drop_unused(Graph& graph);

/// The elements of the node's result, if they can be computed; the operands are stored, and known unless only their
/// extents matter.
Known fold(const Graph& graph, const Node& node);

}  // namespace archsim::onnx_graph
