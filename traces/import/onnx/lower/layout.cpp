#include "traces/import/onnx/lower/layout.h"

#include <algorithm>

namespace archsim::onnx_graph {

Order natural(const Dims& dims) {
  Order order;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] != 1) order.push_back(d);
  }
  return order;
}

Order only_long(const Order& sequence, const Dims& dims) {
  Order order;
  for (const auto axis : sequence) {
    if (dims[axis] != 1) order.push_back(axis);
  }
  return order;
}

Order transposed(const Order& order, const Dims& permutation) {
  Order result;
  for (const auto axis : order) {
    const auto found = std::find(permutation.begin(), permutation.end(), static_cast<std::int64_t>(axis));
    result.push_back(static_cast<std::size_t>(found - permutation.begin()));
  }
  return result;
}

std::optional<Order> reshaped(const Order& order, const Dims& from, const Dims& to) {
  const Order before = natural(from), after = natural(to);
  Order result(0);
  std::vector<Order> becomes(from.size());  // by the first axis of a group
  std::vector<std::size_t> group_of(from.size(), from.size());
  std::size_t i = 0, j = 0;
  while (i < before.size() && j < after.size()) {
    const std::size_t first = before[i];
    Order group{after[j]};
    std::int64_t left = from[before[i]], right = to[after[j]];
    group_of[before[i++]] = first;
    ++j;
    while (left != right) {
      if (left < right) {
        if (i == before.size()) return std::nullopt;
        left *= from[before[i]];
        group_of[before[i++]] = first;
      } else {
        if (j == after.size()) return std::nullopt;
        right *= to[after[j]];
        group.push_back(after[j++]);
      }
    }
    becomes[first] = group;
  }
  if (i != before.size() || j != after.size()) return std::nullopt;
  for (std::size_t at = 0; at < order.size(); ++at) {
    const std::size_t axis = order[at];
    if (group_of[axis] == axis) {
      result.insert(result.end(), becomes[axis].begin(), becomes[axis].end());
      continue;
    }
    // A later axis of a group stands right behind the one that the graph has in front of it.
    const auto here = std::find(before.begin(), before.end(), axis) - before.begin();
    if (at == 0 || order[at - 1] != before[static_cast<std::size_t>(here - 1)]) return std::nullopt;
  }
  return result;
}

Span span_of(const Order& order, const Dims& dims, std::size_t axis) {
  Span span;
  span.extent = dims[axis];
  const auto at = std::find(order.begin(), order.end(), axis);
  for (auto outer = order.begin(); outer != at && at != order.end(); ++outer) span.outer *= dims[*outer];
  if (at == order.end()) {
    span.outer = product(order, dims);
    return span;
  }
  for (auto inner = at + 1; inner != order.end(); ++inner) span.inner *= dims[*inner];
  return span;
}

std::int64_t product(const Order& order, const Dims& dims) {
  std::int64_t elements = 1;
  for (const auto axis : order) elements *= dims[axis];
  return elements;
}

}  // namespace archsim::onnx_graph
