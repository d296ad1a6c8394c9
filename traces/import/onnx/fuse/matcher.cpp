#include "traces/import/onnx/fuse/matcher.h"

#include <algorithm>
#include <cmath>

namespace archsim::onnx_graph {

Matcher::Matcher(Graph& graph)
    : graph_(graph), maker_(graph.values.size(), -1), readers_(graph.values.size()), is_output_(graph.values.size()) {
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const auto index = static_cast<std::int32_t>(n);
    for (const Id out : graph.nodes[n].out) {
      if (out != kAbsent) maker_[static_cast<std::size_t>(out)] = index;
    }
    for (const Id in : graph.nodes[n].in) {
      if (in != kAbsent) readers_[static_cast<std::size_t>(in)].push_back(index);
    }
  }
  for (const Id out : graph.outputs) is_output_[static_cast<std::size_t>(out)] = true;
}

const Node* Matcher::maker(Id id) const {
  if (id == kAbsent) return nullptr;
  const auto index = maker_[static_cast<std::size_t>(id)];
  return index < 0 ? nullptr : &graph_.nodes[static_cast<std::size_t>(index)];
}

Id Matcher::through(Id id) const {
  for (const Node* node = maker(id); node; node = maker(id)) {
    const bool casts = node->op == "Cast" && is_real(graph_[node->in[0]].type) && is_real(graph_[id].type);
    if (!casts && node->op != "Identity" && node->op != "Dropout") break;
    id = node->in[0];
  }
  return id;
}

const Node* Matcher::made_by(Id id, std::string_view op) const {
  if (id == kAbsent) return nullptr;
  const Node* node = maker(through(id));
  return node && node->op == op ? node : nullptr;
}

bool Matcher::is_read_once(Id id) const {
  return readers_[static_cast<std::size_t>(id)].size() == 1 && !is_output_[static_cast<std::size_t>(id)];
}

Node* Matcher::only_reader(const Node& node) const {
  Id id = node.out[0];
  while (is_read_once(id)) {
    Node& reader = graph_.nodes[static_cast<std::size_t>(readers_[static_cast<std::size_t>(id)][0])];
    if (reader.out.empty() || reader.out[0] == kAbsent || through(reader.out[0]) != through(id)) return &reader;
    id = reader.out[0];
  }
  return nullptr;
}

std::optional<double> Matcher::scalar(Id id) const {
  if (id == kAbsent) return std::nullopt;
  const Value& value = graph_[id];
  if (!value.is_stored || !value.known || value.known->size() != 1) return std::nullopt;
  return value.known->number(0);
}

bool Matcher::is_about(Id id, double wanted) const {
  const auto found = scalar(id);
  return found && std::abs(*found - wanted) <= 1e-3 * std::abs(wanted);
}

std::optional<std::size_t> Matcher::only_axis(const Node& reduction) const {
  const auto rank = static_cast<std::int64_t>(graph_[reduction.in[0]].dims.size());
  Dims axes = reduction.integers("axes");
  if (axes.empty() && reduction.input(1) != kAbsent && graph_[reduction.in[1]].known) {
    axes = graph_[reduction.in[1]].known->whole;
  }
  if (axes.size() != 1 || reduction.integer("keepdims", 1) == 0) return std::nullopt;
  const std::int64_t axis = axes[0] < 0 ? axes[0] + rank : axes[0];
  return axis >= 0 && axis < rank ? std::optional<std::size_t>(static_cast<std::size_t>(axis)) : std::nullopt;
}

Matcher::Product Matcher::product(Id id) const {
  Product out;
  collect(id, true, 0, out);
  return out;
}

void Matcher::collect(Id id, bool is_root, int depth, Product& out) const {
  constexpr int kDeepest = 6;
  if (const auto factor = scalar(id)) {
    out.factor *= *factor;
    return;
  }
  const Id seen = through(id);
  const Node* node = maker(seen);
  const bool may_enter = node && depth < kDeepest && (is_root || (is_read_once(id) && is_read_once(seen)));
  if (may_enter && node->op == "Mul") {
    collect(node->in[0], false, depth + 1, out);
    collect(node->in[1], false, depth + 1, out);
  } else if (may_enter && node->op == "Div" && scalar(node->in[1]).value_or(0.0) != 0.0) {
    collect(node->in[0], false, depth + 1, out);
    out.factor /= *scalar(node->in[1]);
  } else {
    out.values.push_back(seen);
  }
}

}  // namespace archsim::onnx_graph
