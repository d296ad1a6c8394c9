// Models without their weights: which of a graph's inputs are weights, and which a user's data.
#pragma once

#include "traces/import/onnx/graph/graph.h"

namespace archsim::onnx_graph {

/// Marks inputs as stored weights. An exporter that leaves weights out lists data first and weights behind it, so:
/// an input that a node reads where only a weight can stand (the filter of a convolution, the parameters of a norm, the
/// matrix of a Gemm, perhaps transposed on the way) is a weight, and so is every input of real numbers behind the first
/// such input; and, directly in front of that one, every input but the graph's first that no node reads as its first operand
/// (class tokens and tables of positions, which PyTorch lists before the layers).
void find_weight_inputs(Graph& graph);

}  // namespace archsim::onnx_graph
