// Graph -> trace, node by node.
#pragma once

#include "arch/workload/trace.h"
#include "traces/import/onnx/graph/graph.h"
#include "traces/import/onnx/lower/builder.h"

namespace archsim::onnx_graph {

/// All nodes that have no place in a trace are told at once.
Trace lower(const Graph& graph, std::optional<Dtype> dtype, const std::string& model, Diagnostics& problems);

// Nodes by family, in the files named like them. Throw Unfit.
using Lowering = void (*)(Builder&, const Node&);
/// Null for an operator of another family.
Lowering elementwise_lowering(std::string_view op);
Lowering matrix_lowering(std::string_view op);
Lowering grid_lowering(std::string_view op);
Lowering row_lowering(std::string_view op);
Lowering move_lowering(std::string_view op);

/// An operand for a result of `dims` that lies in this order, in rows of so many columns: as large as the result, or one row.
/// Small operands are spread where they must be; stored ones when the model is loaded.
Index operand_like(Builder& builder, Id id, const Dims& dims, const Order& order, std::int64_t columns);
/// The same, never one row.
Index whole_operand_like(Builder& builder, Id id, const Dims& dims, const Order& order, std::int64_t columns);

std::optional<double> scalar_of(const Value& value);
std::vector<std::int64_t> wholes_of(const Builder& builder, const Node& node, const char* attribute, std::size_t input);
std::size_t axis_of(const Node& node, std::int64_t otherwise, std::size_t rank);
/// `axis` behind all others.
Order with_last(const Dims& dims, std::size_t axis);

}  // namespace archsim::onnx_graph
