#include "traces/import/onnx/shape/settle.h"

#include <fmt/format.h>

#include <algorithm>

#include "traces/import/onnx/graph/tensors.h"
#include "traces/import/onnx/shape/rules.h"

namespace archsim::onnx_graph {
namespace {

// All folded constants together; what goes beyond keeps its shape alone.
constexpr std::int64_t kMostFolded = std::int64_t{1} << 23;

class Settling {
 public:
  Settling(Graph& graph, Diagnostics& problems) : graph_(graph), problems_(problems) {}

  void run() {
    std::vector<Node> work;
    for (Node& node : graph_.nodes) {
      try {
        if (settle(node)) work.push_back(std::move(node));
      } catch (const Unfit& unfit) {
        tell(node, unfit);
      }
    }
    graph_.nodes = std::move(work);
  }

 private:
  // Whether it stays as work.
  bool settle(const Node& node) {
    if (node.op == "Constant") return constant(node), false;
    if (std::any_of(node.in.begin(), node.in.end(), [&](Id in) { return in != kAbsent && !graph_[in].has_dims; })) {
      return false;  // what it reads was told already
    }
    infer(graph_, node);
    if (node.op == "ConstantOfShape") type_of_filled(node);
    const bool asks_for_extents = node.op == "Shape" || node.op == "Size";
    const bool is_stored = asks_for_extents || std::all_of(node.in.begin(), node.in.end(), [&](Id in) {
                             return in == kAbsent || graph_[in].is_stored;
                           });
    if (!is_stored) return true;
    const bool is_weight = !asks_for_extents && std::any_of(node.in.begin(), node.in.end(), [&](Id in) {
      return in != kAbsent && graph_[in].is_weight;
    });
    for (const Id out : node.out) {
      if (out == kAbsent) continue;
      graph_[out].is_stored = true;
      graph_[out].is_weight = is_weight;
    }
    if (node.op == "DequantizeLinear") quantized_weight(node);
    remember(node);
    return false;
  }

  // A weight that is stored quantized stays so.
  void quantized_weight(const Node& node) {
    Value& out = graph_[node.out[0]];
    const Value &q = graph_[node.in[0]], &scale = graph_[node.in[1]];
    double mean = 0.0;
    if (scale.known && scale.known->size() > 0) {
      for (std::size_t i = 0; i < scale.known->size(); ++i) mean += scale.known->number(i);
      mean /= static_cast<double>(scale.known->size());
    }
    out.type = q.type;
    out.is_weight = q.is_weight;
    out.scale = mean > 0.0 ? mean : 1.0;
  }

  void type_of_filled(const Node& node) {
    if (node.tensor("value") != kAbsent) graph_[node.out[0]].type = graph_[node.tensor("value")].type;
  }

  void constant(const Node& node) {
    if (node.out.empty() || node.out[0] == kAbsent) return;
    Value& out = graph_[node.out[0]];
    const std::string name = out.name;
    const auto list = [&](Type type, Dims dims, Elements elements) {
      out = {.name = name,
             .type = type,
             .dims = std::move(dims),
             .has_dims = true,
             .is_stored = true,
             .known = std::make_shared<const Elements>(std::move(elements))};
    };
    if (node.tensor("value") != kAbsent) {
      out = graph_[node.tensor("value")];
      out.name = name;
    } else if (node.has("value_int")) {
      list(Type::int64, {}, {.whole = {node.integer("value_int", 0)}});
    } else if (node.has("value_float")) {
      list(Type::fp32, {}, {.real = {node.number("value_float", 0.0)}});
    } else if (node.has("value_ints")) {
      const Dims wholes = node.integers("value_ints");
      list(Type::int64, {static_cast<std::int64_t>(wholes.size())}, {.whole = wholes});
    } else if (node.has("value_floats")) {
      const auto& reals = node.attributes.at("value_floats").reals;
      list(Type::fp32, {static_cast<std::int64_t>(reals.size())}, {.real = reals});
    } else {
      throw Unfit{"has no value that can be imported"};
    }
  }

  void remember(const Node& node) {
    if (node.out.size() != 1 || node.out[0] == kAbsent) return remember_parts(node);
    const auto elements = elements_of(graph_[node.out[0]].dims);
    if (!elements || *elements > kMostKnown || folded_ + *elements > kMostFolded) return;
    graph_[node.out[0]].known = fold(graph_, node);
    if (graph_[node.out[0]].known) folded_ += *elements;
  }

  // Of Split: the same as slices.
  void remember_parts(const Node& node) {
    if (node.op != "Split") return;
    const Value& x = graph_[node.in[0]];
    const auto rank = static_cast<std::int64_t>(x.dims.size());
    const std::int64_t asked = node.integer("axis", 0), axis = asked < 0 ? asked + rank : asked;
    std::int64_t begin = 0;
    for (const Id out : node.out) {
      if (out == kAbsent) continue;
      const std::int64_t end = begin + graph_[out].dims[static_cast<std::size_t>(axis)];
      Node part{.op = "Slice", .name = node.name, .in = {node.in[0]}, .out = {out}};
      part.attributes["starts"].wholes = {begin};
      part.attributes["ends"].wholes = {end};
      part.attributes["axes"].wholes = {axis};
      if (x.known) remember(part);
      begin = end;
    }
  }

  void tell(const Node& node, const Unfit& unfit) {
    problems_.error(graph_.where(), in_words(node) + " " + unfit.message, unfit.help);
  }

  Graph& graph_;
  Diagnostics& problems_;
  std::int64_t folded_ = 0;
};

}  // namespace

void drop_unused(Graph& graph) {
  std::vector<bool> is_needed(graph.values.size(), false);
  for (const Id out : graph.outputs) is_needed[static_cast<std::size_t>(out)] = true;
  std::vector<Node> kept;
  for (std::size_t n = graph.nodes.size(); n-- > 0;) {
    Node& node = graph.nodes[n];
    const bool needs = std::any_of(node.out.begin(), node.out.end(),
                                   [&](Id out) { return out != kAbsent && is_needed[static_cast<std::size_t>(out)]; });
    if (!needs) continue;
    for (const Id in : node.in) {
      if (in != kAbsent) is_needed[static_cast<std::size_t>(in)] = true;
    }
    kept.push_back(std::move(node));
  }
  std::reverse(kept.begin(), kept.end());
  graph.nodes = std::move(kept);
}

void settle(Graph& graph, Diagnostics& problems) {
  Settling(graph, problems).run();
  if (!problems.has_errors()) drop_unused(graph);
}

}  // namespace archsim::onnx_graph
