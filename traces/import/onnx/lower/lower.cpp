#include "traces/import/onnx/lower/lower.h"

#include "traces/import/onnx/shape/operands.h"

namespace archsim::onnx_graph {

std::optional<double> scalar_of(const Value& value) {
  if (!value.is_stored || !value.known || value.known->size() != 1) return std::nullopt;
  return value.known->number(0);
}

std::vector<std::int64_t> wholes_of(const Builder& builder, const Node& node, const char* attribute,
                                    std::size_t input) {
  if (node.has(attribute)) return node.integers(attribute);
  const Id id = node.input(input);
  return id != kAbsent && builder.value(id).known ? builder.value(id).known->whole : std::vector<std::int64_t>{};
}

std::size_t axis_of(const Node& node, std::int64_t otherwise, std::size_t rank) {
  return Operands::axis(node.integer("axis", otherwise), rank);
}

Order with_last(const Dims& dims, std::size_t axis) {
  Order order;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (d != axis) order.push_back(d);
  }
  order.push_back(axis);
  return order;
}

Trace lower(const Graph& graph, std::optional<Dtype> dtype, const std::string& model, Diagnostics& problems) {
  Builder builder(graph, dtype);
  bool is_broken = false;
  for (const Node& node : graph.nodes) {
    builder.node = node.name;
    try {
      Lowering lowering = nullptr;
      for (const auto family : {elementwise_lowering, matrix_lowering, grid_lowering, row_lowering, move_lowering}) {
        if (!lowering) lowering = family(node.op);
      }
      if (!lowering) throw Unfit{"computes at run time what is known here only of constants"};
      lowering(builder, node);
    } catch (const Unfit& unfit) {
      // What only follows from an earlier mistake is not told.
      if (!is_broken || unfit.message.find("could not be made") == std::string::npos) {
        problems.error(graph.where(), in_words(node) + " " + unfit.message, unfit.help);
      }
      is_broken = true;
    }
  }
  return builder.take(model);
}

}  // namespace archsim::onnx_graph
