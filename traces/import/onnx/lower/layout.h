// In which sequence the elements of a value lie: archsim keeps grids channels-last and heads inside rows, whatever the
// graph calls its axes.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "traces/import/onnx/graph/graph.h"

namespace archsim::onnx_graph {

/// The axes of a value whose extent is not 1, outermost in memory first. Axes of extent 1 have no place.
using Order = std::vector<std::size_t>;

/// As the graph writes them.
Order natural(const Dims& dims);
/// The axes `sequence` without those of extent 1.
Order only_long(const Order& sequence, const Dims& dims);
/// Of a Transpose's result.
Order transposed(const Order& order, const Dims& permutation);
/// Of a Reshape's result, if it can stay where it is: each group of axes that is split or joined must lie together.
std::optional<Order> reshaped(const Order& order, const Dims& from, const Dims& to);

/// Elements in front of an axis, along it, and behind it in memory.
struct Span {
  std::int64_t outer = 1, extent = 1, inner = 1;
};
Span span_of(const Order& order, const Dims& dims, std::size_t axis);

std::int64_t product(const Order& order, const Dims& dims);

}  // namespace archsim::onnx_graph
