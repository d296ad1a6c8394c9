// Subgraphs that stand for one operator -> that operator.
#pragma once

#include "traces/import/onnx/graph/graph.h"

namespace archsim::onnx_graph {

/// Layer norms, RMS norms, GELU, SiLU, softmax, rotary embeddings, gated units and attention that the exporter took apart.
void fuse(Graph& graph, Diagnostics& problems);

}  // namespace archsim::onnx_graph
