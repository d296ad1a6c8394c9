// The extents of a graph's inputs: as the model has them, with those that it leaves open set by the user.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

#include "traces/import/onnx/graph/graph.h"

namespace archsim::onnx_graph {

struct InputSettings {
  const std::vector<std::string>& dims;    // NAME=VALUE
  const std::vector<std::string>& inputs;  // NAME=2x3x224x224
};

/// Gives each input of `graph` its extents; what stays open, and what names nothing, is an error.
void settle_input_shapes(const onnx::GraphProto& proto, const InputSettings& settings, Graph& graph,
                         Diagnostics& problems);

}  // namespace archsim::onnx_graph
