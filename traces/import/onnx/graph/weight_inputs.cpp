#include "traces/import/onnx/graph/weight_inputs.h"

#include <algorithm>

namespace archsim::onnx_graph {
namespace {

bool is_weight_place(const Node& node, std::size_t input) {
  const auto& op = node.op;
  if (op == "Conv" || op == "ConvTranspose" || op == "Gemm" || op == "PRelu" || op == "BatchNormalization" ||
      op == "InstanceNormalization" || op == "LayerNormalization" || op == "GroupNormalization" ||
      op == "RMSNormalization") {
    return input >= 1;
  }
  return false;
}

bool only_rearranges(const Node& node) {
  return node.op == "Transpose" || node.op == "Reshape" || node.op == "Identity" || node.op == "Cast";
}

class WeightInputs {
 public:
  explicit WeightInputs(Graph& graph)
      : graph_(graph), in_place_(graph.values.size(), false), makers_(graph.values.size()) {
    for (const Node& node : graph.nodes) {
      for (const Id out : node.out) {
        if (out != kAbsent) makers_[static_cast<std::size_t>(out)] = &node;
      }
    }
    // Backwards, so that what an input is rearranged to is known before the input itself.
    for (std::size_t n = graph.nodes.size(); n-- > 0;) {
      const Node& node = graph.nodes[n];
      for (std::size_t i = 0; i < node.in.size(); ++i) {
        if (node.in[i] == kAbsent) continue;
        const auto id = static_cast<std::size_t>(node.in[i]);
        const bool passes_on =
            only_rearranges(node) && i == 0 && !node.out.empty() && in_place_[static_cast<std::size_t>(node.out[0])];
        // A transposed input that is the second operand of a product.
        if (is_weight_place(node, i) || passes_on) in_place_[id] = true;
        if (node.op == "MatMul" && i == 1 && is_matrix_of_input(node.in[i])) in_place_[id] = true;
      }
    }
    for (const Node& node : graph.nodes) {
      if (!node.in.empty() && node.in[0] != kAbsent && node.op != "Expand") first_operand_.push_back(node.in[0]);
    }
  }

  void mark() {
    std::vector<Id> inputs;
    for (Id id = 0; id < static_cast<Id>(graph_.values.size()); ++id) {
      if (graph_[id].is_input) inputs.push_back(id);
    }
    const auto by_place = [&](Id id) { return in_place_[static_cast<std::size_t>(id)] && is_real(graph_[id].type); };
    auto first = std::find_if(inputs.begin(), inputs.end(), by_place);
    if (first == inputs.end() || first == inputs.begin()) return;
    while (first - inputs.begin() > 1 && is_real(graph_[*(first - 1)].type) && !is_first_operand(*(first - 1))) --first;
    for (auto input = first; input != inputs.end(); ++input) {
      if (!is_real(graph_[*input].type)) continue;
      graph_[*input].is_input = false;
      graph_[*input].is_stored = graph_[*input].is_weight = true;
    }
  }

 private:
  bool is_first_operand(Id id) const {
    return std::find(first_operand_.begin(), first_operand_.end(), id) != first_operand_.end();
  }

  // Whether an input of the graph comes here, of two extents and at most rearranged.
  bool is_matrix_of_input(Id id) const {
    while (!graph_[id].is_input) {
      const Node* maker = makers_[static_cast<std::size_t>(id)];
      if (!maker || !only_rearranges(*maker) || maker->in.empty() || maker->in[0] == kAbsent) return false;
      id = maker->in[0];
    }
    return graph_[id].dims.size() <= 2;
  }

  Graph& graph_;
  std::vector<bool> in_place_;
  std::vector<const Node*> makers_;
  std::vector<Id> first_operand_;
};

}  // namespace

void find_weight_inputs(Graph& graph) { WeightInputs(graph).mark(); }

}  // namespace archsim::onnx_graph
