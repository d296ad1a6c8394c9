// GELU, SiLU, hard swish, Mish, softmax and gated units from their parts.
#include <algorithm>
#include <cmath>

#include "traces/import/onnx/fuse/matcher.h"

namespace archsim::onnx_graph {
namespace {

bool is_near(double value, double wanted) { return std::abs(value - wanted) <= 2e-3 * std::abs(wanted); }

class Activations {
 public:
  explicit Activations(Graph& graph) : match_(graph), graph_(graph) {}

  void run() {
    // From the back: the last node of a pattern is found before a part of it.
    for (std::size_t n = graph_.nodes.size(); n-- > 0;) {
      Node& node = graph_.nodes[n];
      if (node.op == "Mul" || node.op == "Div") rewrite(node);
    }
  }

 private:
  void become(Node& node, const char* op, Id x, bool is_approximate = false) {
    Node fused{.op = op, .name = node.name, .in = {x}, .out = {node.out[0]}};
    if (is_approximate) fused.attributes["approximate"].text = "tanh";
    node = std::move(fused);
  }

  void rewrite(Node& node) {
    const auto product = match_.product(node.out[0]);
    if (product.values.size() != 2) return;
    for (const std::size_t i : {0U, 1U}) {
      const Id x = product.values[i], other = product.values[1 - i];
      if (is_near(product.factor, 0.5) && is_one_and_erf(other, x)) return become(node, "Gelu", x);
      if (is_near(product.factor, 0.5) && is_one_and_tanh(other, x)) return become(node, "Gelu", x, true);
      if (is_near(product.factor, 1.0) && is_of(other, "Sigmoid", x)) return become(node, fused::kSilu, x);
      if (is_near(product.factor, 1.0) && is_hard_sigmoid(other, x)) return become(node, "HardSwish", x);
      if (is_near(product.factor, 1.0 / 6.0) && is_clipped(other, x)) return become(node, "HardSwish", x);
      if (is_near(product.factor, 1.0) && is_tanh_of_softplus(other, x)) return become(node, "Mish", x);
    }
  }

  bool is_of(Id id, const char* op, Id x) const {
    const Node* node = match_.made_by(id, op);
    return node && match_.is_same(node->in[0], x);
  }

  // The other operand of a sum with `constant`.
  Id plus(Id id, double constant) const {
    const Node* add = match_.made_by(id, "Add");
    if (!add) return kAbsent;
    if (match_.is_about(add->in[0], constant)) return match_.through(add->in[1]);
    return match_.is_about(add->in[1], constant) ? match_.through(add->in[0]) : kAbsent;
  }

  bool is_one_and_erf(Id id, Id x) const {
    const Node* erf = match_.made_by(plus(id, 1.0), "Erf");
    if (!erf) return false;
    const auto inside = match_.product(erf->in[0]);
    return inside.values.size() == 1 && match_.is_same(inside.values[0], x) && is_near(inside.factor, M_SQRT1_2);
  }

  // 1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)), however the polynomial is written.
  bool is_one_and_tanh(Id id, Id x) const {
    const Node* tanh = match_.made_by(plus(id, 1.0), "Tanh");
    bool has_cube = false;
    return tanh && depends_only_on(tanh->in[0], x, 0, has_cube) && has_cube;
  }

  bool depends_only_on(Id id, Id x, int depth, bool& has_cube) const {
    has_cube |= match_.is_about(id, 0.044715) || match_.is_about(id, 0.044715 * 0.7978845608);
    if (match_.scalar(id) || match_.is_same(id, x)) return true;
    const Node* node = match_.maker(match_.through(id));
    if (!node || depth > 6 || (node->op != "Mul" && node->op != "Add" && node->op != "Pow" && node->op != "Div")) {
      return false;
    }
    return depends_only_on(node->in[0], x, depth + 1, has_cube) && depends_only_on(node->in[1], x, depth + 1, has_cube);
  }

  bool is_hard_sigmoid(Id id, Id x) const {
    if (!is_of(id, "HardSigmoid", x)) return false;
    const Node* node = match_.made_by(id, "HardSigmoid");
    return is_near(node->number("alpha", 0.2), 1.0 / 6.0) && is_near(node->number("beta", 0.5), 0.5);
  }

  bool is_clipped(Id id, Id x) const {
    const Node* clip = match_.made_by(id, "Clip");
    if (!clip || !match_.is_same(plus(clip->in[0], 3.0), x)) return false;
    const bool by_operands = match_.scalar(clip->input(1)) == 0.0 && match_.scalar(clip->input(2)) == 6.0;
    return by_operands || (clip->number("min", -1.0) == 0.0 && clip->number("max", 0.0) == 6.0);
  }

  bool is_tanh_of_softplus(Id id, Id x) const {
    const Node* tanh = match_.made_by(id, "Tanh");
    return tanh && is_of(tanh->in[0], "Softplus", x);
  }

  Matcher match_;
  Graph& graph_;
};

}  // namespace

void fuse_activations(Graph& graph) { Activations(graph).run(); }

void fuse_softmax(Graph& graph) {
  Matcher match(graph);
  for (Node& node : graph.nodes) {
    const Node* exp = node.op == "Div" ? match.made_by(node.in[0], "Exp") : nullptr;
    const Node* sum = exp ? match.made_by(node.in[1], "ReduceSum") : nullptr;
    const auto axis = sum && match.is_same(sum->in[0], node.in[0]) ? match.only_axis(*sum) : std::nullopt;
    if (!axis) continue;
    Id x = match.through(exp->in[0]);
    // The largest is taken away first for the range's sake.
    if (const Node* sub = match.made_by(x, "Sub")) {
      const Node* max = match.made_by(sub->in[1], "ReduceMax");
      if (max && match.is_same(max->in[0], sub->in[0]) && match.only_axis(*max) == axis) x = match.through(sub->in[0]);
    }
    Node fused{.op = "Softmax", .name = node.name, .in = {x}, .out = {node.out[0]}};
    fused.attributes["axis"].whole = static_cast<std::int64_t>(*axis);
    fused.attributes["is_one_axis"].whole = 1;
    node = std::move(fused);
  }
}

void fuse_glu(Graph& graph) {
  Matcher match(graph);
  for (Node& node : graph.nodes) {
    if (node.op != "Mul") continue;
    for (const std::size_t i : {0U, 1U}) {
      const Node* gate = match.maker(node.in[i]);
      if (!gate || !match.is_read_once(node.in[i])) continue;
      const bool is_gate =
          gate->op == fused::kSilu || gate->op == "Gelu" || gate->op == "Sigmoid" || gate->op == "Relu";
      const Value &up = graph[node.in[1 - i]], &out = graph[node.out[0]];
      if (!is_gate || up.is_stored || up.dims != out.dims || graph[node.in[i]].dims != out.dims) continue;
      Node fused{.op = fused::kGlu, .name = node.name, .in = {gate->in[0], node.in[1 - i]}, .out = {node.out[0]}};
      fused.attributes["activation"].text = gate->op == fused::kSilu ? "silu"
                                            : gate->op == "Gelu"     ? "gelu"
                                            : gate->op == "Sigmoid"  ? "sigmoid"
                                                                     : "relu";
      if (gate->has("approximate")) fused.attributes["approximate"] = gate->attributes.at("approximate");
      node = std::move(fused);
      break;
    }
  }
}

}  // namespace archsim::onnx_graph
