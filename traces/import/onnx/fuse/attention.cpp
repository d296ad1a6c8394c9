// Rotary embeddings and attention from their parts.
#include <cmath>

#include "traces/import/onnx/fuse/matcher.h"

namespace archsim::onnx_graph {
namespace {

enum class Mask { none, causal, other, unknown };

// A score that a mask of this value lets through, or takes away.
constexpr double kTakenAway = -1e3;

// What an additive mask (or a condition, with what passes) means for queries that are the last of the keys.
template <class Passes>
Mask kind_of(const Value& mask, Passes passes) {
  const Dims& dims = mask.dims;
  if (!mask.known || dims.empty()) return Mask::unknown;
  const std::int64_t keys = dims.back(), queries = dims.size() > 1 ? dims[dims.size() - 2] : 1;
  bool all = true, lower = queries > 1;
  const auto count = static_cast<std::int64_t>(mask.known->size());
  for (std::int64_t i = 0; i < count; ++i) {
    const bool is_seen = passes(static_cast<std::size_t>(i));
    const std::int64_t query = i / keys % queries, key = i % keys;
    all = all && is_seen;
    lower = lower && is_seen == (key <= query + keys - queries);
  }
  return all ? Mask::none : lower ? Mask::causal : Mask::other;
}

class Attention {
 public:
  explicit Attention(Graph& graph) : match_(graph), graph_(graph) {}

  std::size_t run() {
    for (Node& node : graph_.nodes) {
      if (node.op == "Softmax") try_at(node);
    }
    return unknown_masks_;
  }

 private:
  struct Parts {
    Id q = kAbsent, k = kAbsent, v = kAbsent;
    double scale = 1.0;
    Mask mask = Mask::none;
  };

  bool is_over_last_axis(const Node& softmax) const {
    const auto rank = static_cast<std::int64_t>(graph_[softmax.in[0]].dims.size());
    const std::int64_t axis = softmax.integer("axis", graph_.opset < 13 ? 1 : -1);
    return (axis < 0 ? axis + rank : axis) == rank - 1;
  }

  void try_at(const Node& softmax) {
    if (!is_over_last_axis(softmax)) return;
    Node* product = match_.only_reader(softmax);
    if (!product || product->op != "MatMul" || !match_.is_same(product->in[0], softmax.out[0])) return;
    Parts parts{.v = product->in[1]};
    if (!find_scores(softmax.in[0], parts) || !fits(parts, graph_[product->out[0]].dims)) return;
    rewrite(*product, parts);
  }

  // From the softmax up to the product of queries and keys; every node on the way is read once.
  bool find_scores(Id id, Parts& parts) {
    for (int steps = 0; steps < 8; ++steps) {
      if (!match_.is_read_once(id)) return false;
      id = match_.through(id);
      const Node* node = match_.maker(id);
      if (!node || !match_.is_read_once(id)) return false;
      if (node->op == "MatMul") return take_operands(*node, parts);
      const auto next = behind(*node, parts);
      if (!next) return false;
      id = *next;
    }
    return false;
  }

  std::optional<Id> behind(const Node& node, Parts& parts) {
    if (node.op == "Mul" || node.op == "Div") {
      for (const std::size_t i : {1U, 0U}) {
        const auto factor = match_.scalar(node.in[i]);
        if (!factor || (node.op == "Div" && i == 0)) continue;
        parts.scale *= node.op == "Mul" ? *factor : 1.0 / *factor;
        return node.in[1 - i];
      }
    }
    if (node.op == "Add") return masked_by_sum(node, parts);
    if (node.op == "Where") return masked_by_choice(node, parts);
    return std::nullopt;
  }

  bool add_mask(Mask mask, Parts& parts) {
    if (mask == Mask::other || (mask == Mask::causal && parts.mask == Mask::unknown)) return false;
    if (mask != Mask::none) parts.mask = mask;
    return true;
  }

  // A mask that the model must keep (a learned bias) leaves the scores an operator of their own.
  std::optional<Id> masked_by_sum(const Node& node, Parts& parts) {
    const Value& scores = graph_[node.out[0]];
    for (const std::size_t i : {1U, 0U}) {
      const Value& mask = graph_[node.in[i]];
      const bool is_mask = mask.is_stored || !comes_from_product(node.in[i]);
      if (!is_mask || graph_[node.in[1 - i]].dims != scores.dims) continue;
      if (mask.is_weight && !mask.known) return std::nullopt;
      const auto kind = kind_of(mask, [&](std::size_t at) { return mask.known->number(at) > kTakenAway; });
      if (kind == Mask::none && has_numbers(mask)) return std::nullopt;
      return add_mask(kind, parts) ? std::optional<Id>(node.in[1 - i]) : std::nullopt;
    }
    return std::nullopt;
  }

  static bool has_numbers(const Value& mask) {
    for (std::size_t i = 0; i < mask.known->size(); ++i) {
      if (mask.known->number(i) != 0.0) return true;
    }
    return false;
  }

  std::optional<Id> masked_by_choice(const Node& node, Parts& parts) {
    const Value& condition = graph_[node.in[0]];
    for (const std::size_t i : {2, 1}) {  // which one takes scores away
      const auto low = match_.scalar(node.in[i]);
      if (!low || *low > kTakenAway) continue;
      const bool passes_if = i == 2;
      const auto kind =
          kind_of(condition, [&](std::size_t at) { return (condition.known->number(at) != 0.0) == passes_if; });
      return add_mask(kind, parts) ? std::optional<Id>(node.in[3 - i]) : std::nullopt;
    }
    return std::nullopt;
  }

  bool comes_from_product(Id id) const {
    for (int steps = 0; steps < 8; ++steps) {
      const Node* node = match_.maker(match_.through(id));
      if (!node || node->in.empty()) return false;
      if (node->op == "MatMul") return true;
      id = node->in[0] == kAbsent || graph_[node->in[0]].is_stored ? node->input(1) : node->in[0];
      if (id == kAbsent) return false;
    }
    return false;
  }

  bool take_operands(const Node& product, Parts& parts) {
    parts.q = unscaled(product.in[0], parts.scale);
    parts.k = unscaled(product.in[1], parts.scale);
    return true;
  }

  // Queries and keys may be scaled before they meet.
  Id unscaled(Id id, double& scale) const {
    const Node* node = match_.maker(match_.through(id));
    if (!node || (node->op != "Mul" && node->op != "Div") || !match_.is_read_once(id)) return id;
    for (const std::size_t i : {1U, 0U}) {
      const auto factor = match_.scalar(node->in[i]);
      if (!factor || (node->op == "Div" && i == 0)) continue;
      scale *= node->op == "Mul" ? *factor : 1.0 / *factor;
      return node->in[1 - i];
    }
    return id;
  }

  // q [B,H,S,E], k [B,H,E,T], v [B,H,T,E], where leading axes may be missing and H of k and v be 1.
  bool fits(const Parts& parts, const Dims& out) const {
    const Dims &q = graph_[parts.q].dims, &k = graph_[parts.k].dims, &v = graph_[parts.v].dims;
    if (q.size() < 2 || q.size() > 4 || k.size() != q.size() || v.size() != q.size() || out != q) return false;
    if (graph_[parts.q].is_stored || graph_[parts.k].is_stored || graph_[parts.v].is_stored) return false;
    const std::size_t rank = q.size();
    if (v[rank - 1] != q[rank - 1]) return false;
    if (rank == 4 && (k[0] != q[0] || v[0] != q[0])) return false;
    if (rank > 2 && (k[rank - 3] != v[rank - 3] || q[rank - 3] % k[rank - 3] != 0)) return false;
    return rank != 3 || k[0] == q[0];
  }

  // Keys and values that one head gives to several: [B,Hk,T,E] -> Unsqueeze, Expand, Reshape.
  Id unrepeated(Id id) const {
    const Node* reshape = match_.made_by(id, "Reshape");
    const Node* expand = reshape ? match_.made_by(reshape->in[0], "Expand") : nullptr;
    if (!expand) return id;
    const Dims &to = graph_[expand->out[0]].dims, &from = graph_[expand->in[0]].dims;
    const Dims& out = graph_[reshape->out[0]].dims;
    const bool is_repeat = to.size() == 5 && from.size() == 5 && from[2] == 1 && to[0] == from[0] && to[1] == from[1] &&
                           to[3] == from[3] && to[4] == from[4] && out == Dims{to[0], to[1] * to[2], to[3], to[4]};
    const Node* unsqueeze = is_repeat ? match_.made_by(expand->in[0], "Unsqueeze") : nullptr;
    if (!unsqueeze || graph_[unsqueeze->in[0]].dims != Dims{to[0], to[1], to[3], to[4]}) return id;
    return match_.through(unsqueeze->in[0]);
  }

  void rewrite(Node& product, Parts parts) {
    bool is_transposed = true;  // k is [.., E, T]
    if (const Node* transpose = match_.made_by(parts.k, "Transpose")) {
      const Id before = match_.through(transpose->in[0]);
      const auto repeated = unrepeated(before);
      if (swaps_last_two(*transpose) && repeated != before) {
        parts.k = repeated;
        is_transposed = false;
      }
    }
    parts.v = unrepeated(parts.v);
    const std::size_t heads = graph_[parts.q].dims.size() - 3;
    if (graph_[parts.q].dims.size() > 3 && graph_[parts.k].dims[heads] != graph_[parts.v].dims[heads]) return;
    Node fused{.op = fused::kAttention,
               .name = product.name,
               .in = {match_.through(parts.q), match_.through(parts.k), match_.through(parts.v)},
               .out = {product.out[0]}};
    fused.attributes["scale"].real = parts.scale;
    fused.attributes["mask"].text = parts.mask == Mask::causal ? "causal" : "none";
    fused.attributes["key_is_transposed"].whole = is_transposed ? 1 : 0;
    unknown_masks_ += parts.mask == Mask::unknown ? 1 : 0;
    product = std::move(fused);
  }

  bool swaps_last_two(const Node& transpose) const {
    const Dims order = transpose.integers("perm");
    const std::size_t rank = order.size();
    for (std::size_t d = 0; d + 2 < rank; ++d) {
      if (order[d] != static_cast<std::int64_t>(d)) return false;
    }
    return rank >= 2 && order[rank - 1] == static_cast<std::int64_t>(rank - 2);
  }

  Matcher match_;
  Graph& graph_;
  std::size_t unknown_masks_ = 0;
};

class Rope {
 public:
  explicit Rope(Graph& graph) : match_(graph), graph_(graph) {}

  void run() {
    for (Node& node : graph_.nodes) {
      if (node.op == "Add") try_at(node);
    }
  }

 private:
  // x cos + rotated(x) sin
  void try_at(Node& node) {
    const Node *a = match_.made_by(node.in[0], "Mul"), *b = match_.made_by(node.in[1], "Mul");
    if (!a || !b) return;
    for (const auto& [plain, turned] : {std::pair(a, b), std::pair(b, a)}) {
      for (const std::size_t i : {0U, 1U}) {
        const Id x = rotated(turned->in[i]);
        if (x == kAbsent || graph_[x].dims != graph_[node.out[0]].dims) continue;
        if (!match_.is_same(plain->in[0], x) && !match_.is_same(plain->in[1], x)) continue;
        node = Node{.op = fused::kRope, .name = node.name, .in = {x}, .out = {node.out[0]}};
        return;
      }
    }
  }

  // x of Concat(-second half, first half) along the last axis.
  Id rotated(Id id) const {
    const Node* concat = match_.made_by(id, "Concat");
    if (!concat || concat->in.size() != 2) return kAbsent;
    const Node* minus = match_.made_by(concat->in[0], "Neg");
    if (!minus) return kAbsent;
    const Id second = whole_of(minus->in[0]), first = whole_of(concat->in[1]);
    const auto& dims = graph_[id].dims;
    const bool is_half = !dims.empty() && graph_[concat->in[1]].dims.back() * 2 == dims.back();
    return first != kAbsent && is_half && first == second ? first : kAbsent;
  }

  // What a Slice or Split takes a part of.
  Id whole_of(Id part) const {
    const Node* node = match_.maker(match_.through(part));
    return node && (node->op == "Slice" || node->op == "Split") ? match_.through(node->in[0]) : kAbsent;
  }

  Matcher match_;
  Graph& graph_;
};

}  // namespace

std::size_t fuse_attention(Graph& graph) { return Attention(graph).run(); }
void fuse_rope(Graph& graph) { Rope(graph).run(); }

}  // namespace archsim::onnx_graph
