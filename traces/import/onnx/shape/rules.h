// What each ONNX operator makes of its operands' types and extents.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "traces/import/onnx/graph/graph.h"

namespace archsim::onnx_graph {

/// No definition of an operator that is newer is known here.
constexpr std::int64_t kNewestKnownOpset = 24;

/// Up to which opset the rule of this operator holds; empty if there is none.
std::optional<std::int64_t> newest_opset_of(std::string_view op);

/// Gives the node's results their types and extents. Throws Unfit.
void infer(Graph& graph, const Node& node);

}  // namespace archsim::onnx_graph
