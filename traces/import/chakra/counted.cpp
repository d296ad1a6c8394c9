#include "traces/import/chakra/counted.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>

#include "arch/workload/rules/validate.h"

namespace archsim {
namespace {

/// Places of the nodes in an order in which each stands behind those it waits for; fewer than nodes if that cannot be.
std::vector<std::size_t> in_order(const std::vector<CountedNode>& nodes) {
  std::map<std::uint64_t, std::size_t> places;
  for (std::size_t i = 0; i < nodes.size(); ++i) places[nodes[i].id] = i;
  std::vector<std::vector<std::size_t>> followers(nodes.size());
  std::vector<std::size_t> waits(nodes.size(), 0);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const auto id : nodes[i].waits_for) {
      const auto before = places.find(id);
      if (before == places.end()) continue;
      followers[before->second].push_back(i);
      ++waits[i];
    }
  }
  const auto later = [&](std::size_t a, std::size_t b) { return nodes[a].id > nodes[b].id; };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> ready(later);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (waits[i] == 0) ready.push(i);
  }
  std::vector<std::size_t> out;
  while (!ready.empty()) {
    const auto at = ready.top();
    ready.pop();
    out.push_back(at);
    for (const auto next : followers[at]) {
      if (--waits[next] == 0) ready.push(next);
    }
  }
  return out;
}

/// The largest divisor that is not above the square root. Searched for once a size: a prime one takes 2^20 steps.
std::uint64_t side_of(std::uint64_t elements, std::map<std::uint64_t, std::uint64_t>& known) {
  const auto [place, is_new] = known.try_emplace(elements, 1);
  if (!is_new) return place->second;
  auto side = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(elements)));
  while (side > 1 && elements % side != 0) --side;
  return place->second = std::max<std::uint64_t>(side, 1);
}

class Maker {
 public:
  Maker(const std::string& model, const std::string& path) : path_(path) {
    trace_.model = model;
    trace_.loops = {{"graph", 1}};
    trace_.stages = {{"graph", {0, {}}}};
  }

  void add(const CountedNode& node) {
    const auto macs = *node.operations / 2, elements = *node.bytes / 2;
    if (macs == 0 || elements == 0 || elements > (std::uint64_t{1} << 40) ||
        macs / elements >= (std::uint64_t{1} << 40)) {
      return say(
          Severity::error, node,
          fmt::format("has {} operations on {} bytes: no layer has so few or so many", *node.operations, *node.bytes));
    }
    const auto rows = (macs + elements - 1) / elements, in = side_of(elements, sides_), out = elements / in;
    if (rows * elements != macs) {
      say(Severity::warning, node,
          fmt::format("has {} MACs, and becomes a layer of {}: whole rows of its tensor", macs, rows * elements));
    }
    const std::string name = fmt::format("node.{}", node.id);
    Operator op;
    op.name = name;
    op.inputs = {{tensor(name + ".x", Role::input, {rows, in}), {}},
                 {tensor(name + ".weight", Role::weight, {in, out}), {}}};
    op.outputs = {{tensor(name + ".y", Role::output, {rows, out}), {}}};
    for (const auto id : node.waits_for) {
      const auto found = places_.find(id);
      if (found != places_.end()) op.dependencies.push_back(found->second);
    }
    std::sort(op.dependencies.begin(), op.dependencies.end());
    op.dependencies.erase(std::unique(op.dependencies.begin(), op.dependencies.end()), op.dependencies.end());
    const auto index = static_cast<std::uint32_t>(trace_.operators.size());
    places_[node.id] = index;
    trace_.stages[0].repeat.body.emplace_back(index);
    trace_.operators.push_back(std::move(op));
  }

  Checked<Trace> finish() {
    if (said_.has_errors()) return said_;
    const auto problems = validate(trace_, {make_source(path_, ""), 0, 0});
    if (problems.has_errors()) return problems;
    return Checked<Trace>(std::move(trace_), std::move(said_));
  }

 private:
  std::uint32_t tensor(const std::string& name, Role role, std::vector<std::uint64_t> shape) {
    trace_.tensors.push_back({.name = name, .role = role, .shape = std::move(shape), .dtype = Dtype::fp16});
    return static_cast<std::uint32_t>(trace_.tensors.size() - 1);
  }

  void say(Severity severity, const CountedNode& node, const std::string& what) {
    said_.add(
        {severity, fmt::format("`{}` (node {}) {}", node.name, node.id, what), {make_source(path_, ""), 0, 0}, {}});
  }

  std::string path_;
  Trace trace_;
  Diagnostics said_;
  std::map<std::uint64_t, std::uint32_t> places_;
  std::map<std::uint64_t, std::uint64_t> sides_;
};

}  // namespace

Checked<Trace> counted_trace(const std::vector<CountedNode>& nodes, const std::string& model, const std::string& path) {
  const auto order = in_order(nodes);
  if (order.size() != nodes.size()) {
    return Diagnostic{
        Severity::error,
        fmt::format("{} nodes of `{}` wait for each other, or share an id", nodes.size() - order.size(), path),
        {make_source(path, ""), 0, 0},
        {}};
  }
  Maker maker(model, path);
  for (const auto place : order) maker.add(nodes[place]);
  return maker.finish();
}

}  // namespace archsim
