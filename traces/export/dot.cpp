#include "traces/export/dot.h"

#include <fmt/format.h>

#include "arch/workload/graph.h"

namespace archsim {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

class Drawing {
 public:
  explicit Drawing(const Trace& trace) : trace_(trace) {}

  std::string run() {
    text_ = fmt::format("digraph {} {{\n  node [shape=box];\n", quoted(trace_.model));
    for (const auto& stage : trace_.stages) frame(stage.repeat, stage.name, 1);
    const auto graph = operator_graph(trace_);
    for (std::uint32_t from = 0; from < trace_.operators.size(); ++from) {
      for (const auto& edge : boost::make_iterator_range(boost::out_edges(from, graph))) {
        arrow(from, static_cast<std::uint32_t>(boost::target(edge, graph)), graph[edge]);
      }
    }
    return text_ + "}\n";
  }

 private:
  void frame(const Repeat& repeat, const std::string& name, std::size_t depth) {
    const std::string margin(2 * depth, ' ');
    text_ += fmt::format("{}subgraph cluster_{} {{\n{}  label={};\n", margin, repeat.loop, margin,
                         quoted(fmt::format("{} x {}", name, trace_.loops[repeat.loop].count)));
    for (const auto& step : repeat.body) {
      if (const auto* index = std::get_if<std::uint32_t>(&step)) {
        const auto& op = trace_.operators[*index];
        text_ += fmt::format("{}  {} [label={}{}];\n", margin, *index,
                             quoted(fmt::format("{} {}", name_of(op.type), op.name)), op.dead ? ", style=dotted" : "");
      } else {
        const auto& inner = std::get<Repeat>(step);
        frame(inner, trace_.loops[inner.loop].name, depth + 1);
      }
    }
    text_ += margin + "}\n";
  }

  void arrow(std::uint32_t from, std::uint32_t to, const DependenceEdge& edge) {
    if (edge.kind == Dependence::explicit_order) {
      text_ += fmt::format("  {} -> {} [style=dotted];\n", from, to);
    } else if (edge.kind == Dependence::read_after_write) {
      const auto& tensor = trace_.tensors[edge.tensor];
      const auto label = fmt::format("{} {}[{}]", tensor.name, name_of(tensor.dtype), fmt::join(tensor.shape, ","));
      text_ +=
          fmt::format("  {} -> {} [label={}{}];\n", from, to, quoted(label), edge.is_carried() ? ", style=dashed" : "");
    }
  }

  const Trace& trace_;
  std::string text_;
};

}  // namespace

std::string dot_graph(const Trace& trace) { return Drawing(trace).run(); }

}  // namespace archsim
