// One node's operands and results, as the shape rules see them.
#pragma once

#include "traces/import/onnx/graph/graph.h"

namespace archsim::onnx_graph {

class Operands {
 public:
  Operands(Graph& graph, const Node& node) : graph_(graph), node_(node) {}

  const Node& node() const { return node_; }
  std::int64_t opset() const { return graph_.opset; }
  std::size_t inputs() const { return node_.in.size(); }
  std::size_t outputs() const { return node_.out.size(); }
  bool has(std::size_t i) const { return node_.input(i) != kAbsent; }
  const Value& value(std::size_t i) const;  // throws Unfit if it is absent
  const Dims& dims(std::size_t i) const { return value(i).dims; }
  std::size_t rank(std::size_t i) const { return dims(i).size(); }
  Type type(std::size_t i = 0) const { return value(i).type; }

  /// Throws Unfit if the operand is not known before the model runs.
  Dims wholes(std::size_t i) const;
  /// The attribute of older opsets, or the operand of newer ones; empty if neither is there.
  std::optional<Dims> wholes_or(std::string_view attribute, std::size_t input) const;

  /// `axis` counted from the end if it is negative; throws Unfit if it is not below `rank`.
  static std::size_t axis(std::int64_t axis, std::size_t rank);
  std::size_t axis(std::int64_t otherwise) const { return axis(node_.integer("axis", otherwise), rank(0)); }

  void result(Dims dims, std::size_t i = 0) { result(std::move(dims), type(), i); }
  void result(Dims dims, Type type, std::size_t i = 0);

 private:
  Graph& graph_;
  const Node& node_;
};

/// Extents that two operands have together. Throws Unfit.
Dims broadcast(const Dims& a, const Dims& b);

/// What slides over the trailing axes of an operand: Conv, ConvTranspose and the pools.
struct Sliding {
  Dims kernel, stride, dilation, begin, end;  // of each trailing axis; begin and end are padding
};
/// `kernel` if the node does not say it itself. Throws Unfit for what makes no sense.
Sliding sliding_of(const Node& node, const Dims& x, const Dims& kernel);
/// Places of the window along trailing axis `d` of x.
std::int64_t places(const Node& node, const Sliding& window, const Dims& x, std::size_t d);

/// The part of each axis that a Slice takes.
struct Part {
  std::int64_t begin = 0, count = 0, step = 1;
};
std::vector<Part> parts_of(const Operands& slice);

// Rules by family, in the files named like them.
using Rule = void (*)(Operands&);
struct Entry {
  Rule rule = nullptr;
  std::int64_t newest = 24;
};
Entry elementwise_rule(std::string_view op);
Entry window_rule(std::string_view op);
Entry rearranging_rule(std::string_view op);
Entry constant_rule(std::string_view op);

}  // namespace archsim::onnx_graph
