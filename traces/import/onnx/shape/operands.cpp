#include "traces/import/onnx/shape/operands.h"

#include <fmt/format.h>

#include <algorithm>

#include "traces/import/onnx/shape/rules.h"

namespace archsim::onnx_graph {

const Value& Operands::value(std::size_t i) const {
  const Id id = node_.input(i);
  if (id == kAbsent) throw Unfit{fmt::format("lacks its operand {}", i)};
  const Value& value = graph_[id];
  if (!value.has_dims) throw Unfit{fmt::format("reads `{}`, whose shape is not known", value.name)};
  return value;
}

Dims Operands::wholes(std::size_t i) const {
  const Value& operand = value(i);
  if (!operand.known || (operand.known->whole.empty() && operand.known->size() > 0)) {
    throw Unfit{fmt::format("needs `{}` to be known before the model runs", operand.name),
                "its shapes depend on data; export the model with fixed shapes"};
  }
  return operand.known->whole;
}

std::optional<Dims> Operands::wholes_or(std::string_view attribute, std::size_t input) const {
  if (node_.has(attribute)) return node_.integers(attribute);
  if (has(input)) return wholes(input);
  return std::nullopt;
}

std::size_t Operands::axis(std::int64_t axis, std::size_t rank) {
  const auto end = static_cast<std::int64_t>(rank);
  if (axis < -end || axis >= end) throw Unfit{fmt::format("has axis {} of an operand of {} axes", axis, rank)};
  return static_cast<std::size_t>(axis < 0 ? axis + end : axis);
}

void Operands::result(Dims dims, Type type, std::size_t i) {
  if (i >= node_.out.size() || node_.out[i] == kAbsent) return;
  if (!elements_of(dims)) throw Unfit{fmt::format("would make {}", text_of(dims)), "a trace holds up to 2^44 elements"};
  Value& value = graph_[node_.out[i]];
  value.type = type;
  value.dims = std::move(dims);
  value.has_dims = true;
}

Dims broadcast(const Dims& a, const Dims& b) {
  Dims out(std::max(a.size(), b.size()), 1);
  for (std::size_t d = 0; d < out.size(); ++d) {
    const std::size_t back = out.size() - d;
    const std::int64_t left = back <= a.size() ? a[a.size() - back] : 1;
    const std::int64_t right = back <= b.size() ? b[b.size() - back] : 1;
    if (left != right && left != 1 && right != 1) {
      throw Unfit{fmt::format("cannot join {} and {}", text_of(a), text_of(b))};
    }
    out[d] = left == 1 ? right : left;
  }
  return out;
}

std::optional<std::int64_t> newest_opset_of(std::string_view op) {
  for (const auto family : {elementwise_rule, window_rule, rearranging_rule, constant_rule}) {
    if (const auto entry = family(op); entry.rule) return entry.newest;
  }
  return std::nullopt;
}

void infer(Graph& graph, const Node& node) {
  Operands operands(graph, node);
  for (const auto family : {elementwise_rule, window_rule, rearranging_rule, constant_rule}) {
    if (const auto entry = family(node.op); entry.rule) return entry.rule(operands);
  }
  throw Unfit{"is of an unknown operator"};
}

}  // namespace archsim::onnx_graph
