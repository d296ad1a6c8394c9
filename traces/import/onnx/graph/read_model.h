// The bytes of an ONNX model -> Graph.
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "traces/import/onnx/graph/graph.h"

namespace archsim::onnx_graph {

/// What a user says about extents, checked against the graph's inputs.
struct Extents {
  std::vector<std::string> dims;    // NAME=VALUE
  std::vector<std::string> inputs;  // NAME=2x3x224x224
};

/// Everything that is wrong with the model, its operators and its inputs is told at once. No weights are kept: of
/// initializers only small ones, which may be shapes, factors or masks.
Checked<Graph> read_model(std::istream& bytes, const std::string& path, const Extents& extents);

}  // namespace archsim::onnx_graph
