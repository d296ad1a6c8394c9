// The elements of small ONNX tensors.
#pragma once

#include <onnx/onnx_pb.h>

#include "traces/import/onnx/graph/graph.h"

namespace archsim::onnx_graph {

/// Larger constants keep their shape alone. Masks of 1024 x 1024 are still known.
constexpr std::int64_t kMostKnown = std::int64_t{1} << 20;
/// Of real numbers fewer: an array of this size is a factor, a norm's gamma or a table, a larger one a weight.
constexpr std::int64_t kMostKnownReals = 4096;

/// A stored value of the tensor's type and extents. Throws Unfit if the tensor contradicts itself.
Value stored_value(const onnx::TensorProto& tensor);

}  // namespace archsim::onnx_graph
