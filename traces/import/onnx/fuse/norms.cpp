// Layer norm and RMS norm from means, powers and roots.
#include <fmt/format.h>

#include <cmath>

#include "traces/import/onnx/fuse/matcher.h"

namespace archsim::onnx_graph {
namespace {

struct Found {
  Id x = kAbsent;
  std::size_t axis = 0;
  double epsilon = 0.0;
  bool is_centred = false;  // a layer norm
};

class Norms {
 public:
  explicit Norms(Graph& graph) : match_(graph), graph_(graph) {}

  void run() {
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      if (const auto found = normed(graph_.nodes[n])) rewrite(graph_.nodes[n], *found);
    }
  }

 private:
  // x / sqrt(mean of squares + epsilon), in one of the ways to write it.
  std::optional<Found> normed(const Node& node) const {
    if (node.op == "Div") return of_root(node.in[0], node.in[1]);
    if (node.op != "Mul") return std::nullopt;
    for (const std::size_t i : {0U, 1U}) {
      const Id inverse = node.in[i];
      const Node* reciprocal = match_.made_by(inverse, "Reciprocal");
      const Node* quotient = match_.made_by(inverse, "Div");
      const Node* power = match_.made_by(inverse, "Pow");
      std::optional<Found> found;
      if (reciprocal) found = of_root(node.in[1 - i], reciprocal->in[0]);
      if (quotient && match_.is_about(quotient->in[0], 1.0)) found = of_root(node.in[1 - i], quotient->in[1]);
      if (power && match_.is_about(power->in[1], -0.5)) found = of_sum(node.in[1 - i], power->in[0]);
      if (found) return found;
    }
    return std::nullopt;
  }

  std::optional<Found> of_root(Id x, Id root) const {
    if (const Node* sqrt = match_.made_by(root, "Sqrt")) return of_sum(x, sqrt->in[0]);
    const Node* power = match_.made_by(root, "Pow");
    return power && match_.is_about(power->in[1], 0.5) ? of_sum(x, power->in[0]) : std::nullopt;
  }

  std::optional<Found> of_sum(Id x, Id sum) const {
    const Node* add = match_.made_by(sum, "Add");
    if (!add) return std::nullopt;
    const bool is_first = match_.scalar(add->in[0]).has_value();
    const auto epsilon = match_.scalar(add->in[is_first ? 0 : 1]);
    const Node* mean = match_.made_by(add->in[is_first ? 1 : 0], "ReduceMean");
    if (!epsilon || !mean) return std::nullopt;
    const auto axis = match_.only_axis(*mean);
    const Id squared = root_of_square(mean->in[0]);
    if (!axis || squared == kAbsent) return std::nullopt;
    if (const auto centred = centre(x, *axis); centred != kAbsent && centre(squared, *axis) == centred) {
      return Found{centred, *axis, *epsilon, true};
    }
    if (!match_.is_same(squared, x)) return std::nullopt;
    return Found{match_.through(x), *axis, *epsilon, false};
  }

  Id root_of_square(Id square) const {
    if (const Node* power = match_.made_by(square, "Pow"); power && match_.is_about(power->in[1], 2.0)) {
      return match_.through(power->in[0]);
    }
    const Node* product = match_.made_by(square, "Mul");
    return product && match_.is_same(product->in[0], product->in[1]) ? match_.through(product->in[0]) : kAbsent;
  }

  // x of `x - mean(x)`.
  Id centre(Id difference, std::size_t axis) const {
    const Node* sub = match_.made_by(difference, "Sub");
    const Node* mean = sub ? match_.made_by(sub->in[1], "ReduceMean") : nullptr;
    if (!mean || match_.only_axis(*mean) != axis || !match_.is_same(mean->in[0], sub->in[0])) return kAbsent;
    return match_.through(sub->in[0]);
  }

  // A stored operand of as many elements as the axis, along it.
  Id parameter(const Node& node, Id other, const Found& found) const {
    const std::size_t i = match_.is_same(node.in[0], other) ? 1 : 0;
    const Id id = node.in[i];
    if (id == kAbsent || !match_[id].is_stored || !match_.is_same(node.in[1 - i], other)) return kAbsent;
    const Dims& dims = match_[id].dims;
    const Dims& x = match_[found.x].dims;
    const auto extent = x[found.axis];
    if (elements_of(dims) != extent) return kAbsent;
    const std::size_t back = x.size() - found.axis;
    return extent == 1 || (dims.size() >= back && dims[dims.size() - back] == extent) ? id : kAbsent;
  }

  void rewrite(Node& root, const Found& found) {
    Node* last = &root;
    Id gamma = kAbsent, beta = kAbsent;
    if (Node* mul = match_.only_reader(*last); mul && mul->op == "Mul") {
      gamma = parameter(*mul, last->out[0], found);
      if (gamma != kAbsent) last = mul;
    }
    if (Node* add = gamma != kAbsent && found.is_centred ? match_.only_reader(*last) : nullptr;
        add && add->op == "Add") {
      beta = parameter(*add, last->out[0], found);
      if (beta != kAbsent) last = add;
    }
    Node fused{.op = found.is_centred ? fused::kNormalize : fused::kRmsNorm, .name = last->name, .out = {last->out[0]}};
    fused.in = {found.x, gamma, beta};
    if (!found.is_centred) fused.in.pop_back();
    fused.attributes["axis"].whole = static_cast<std::int64_t>(found.axis);
    fused.attributes["is_one_axis"].whole = 1;
    fused.attributes["epsilon"].real = found.epsilon;
    *last = std::move(fused);
  }

  Matcher match_;
  Graph& graph_;
};

}  // namespace

void fuse_norms(Graph& graph) { Norms(graph).run(); }

}  // namespace archsim::onnx_graph
