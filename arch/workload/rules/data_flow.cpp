#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "arch/workload/copies.h"
#include "arch/workload/graph.h"
#include "arch/workload/rules/operand_check.h"
#include "arch/workload/rules/operator_rule.h"
#include "arch/workload/rules/structure.h"

namespace archsim {
namespace {

bool is_stored(Role role) { return role == Role::weight || role == Role::constant; }

class DataFlow {
 public:
  DataFlow(const Trace& trace, Problems& problems)
      : trace_(trace),
        problems_(problems),
        last_writer_(trace.tensors.size(), kNone),
        is_read_(trace.tensors.size(), false) {}

  void run() {
    for (std::uint32_t i = 0; i < trace_.operators.size(); ++i) {
      for (const auto& use : trace_.operators[i].inputs) read(i, use);
      for (const auto& use : trace_.operators[i].outputs) write(i, use);
    }
    for (std::uint32_t t = 0; t < trace_.tensors.size(); ++t) finish(t);
    dead_work();
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  struct Writer {
    std::uint32_t op = 0;
    std::uint32_t before = kNone;  // the same tensor's writer before this one, in writers_
    CopyBox box;
  };

  void say(std::uint32_t op, const std::string& message, std::string help = {}) {
    problems_.push_back(
        {fmt::format("operator `{}` {}", trace_.operators[op].name, message), std::move(help), op, std::nullopt});
  }

  void read(std::uint32_t op, const TensorUse& use) {
    const auto& tensor = trace_.tensors[use.tensor];
    is_read_[use.tensor] = true;
    if (is_stored(tensor.role) || tensor.role == Role::input) return;
    const auto box = copies_touched(trace_, use);
    for (std::uint32_t w = last_writer_[use.tensor]; w != kNone; w = writers_[w].before) {
      if (overlap(writers_[w].box, box)) return;
    }
    // A cache that the trace does not fill holds what was there before it.
    if (tensor.role == Role::kv_cache && !is_written(use.tensor)) return;
    say(op, fmt::format("reads `{}` before anything writes it", tensor.name), help_for_unwritten(op, use.tensor));
  }

  bool is_written(std::uint32_t tensor) const {
    return std::any_of(trace_.operators.begin(), trace_.operators.end(), [&](const Operator& op) {
      return std::any_of(op.outputs.begin(), op.outputs.end(),
                         [&](const TensorUse& use) { return use.tensor == tensor; });
    });
  }

  std::string help_for_unwritten(std::uint32_t op, std::uint32_t tensor) const {
    for (std::uint32_t later = op; later < trace_.operators.size(); ++later) {
      for (const auto& use : trace_.operators[later].outputs) {
        if (use.tensor == tensor) return fmt::format("`{}` writes it, but later", trace_.operators[later].name);
      }
    }
    return "if it comes from outside, its role is input, constant or weight";
  }

  void write(std::uint32_t op, const TensorUse& use) {
    const auto& tensor = trace_.tensors[use.tensor];
    if (is_stored(tensor.role)) {
      say(op, fmt::format("writes `{}`, which is a {}", tensor.name, name_of(tensor.role)));
    }
    const auto& operation = trace_.operators[op];
    const auto& inputs = operation.inputs;
    if (!rule_of(operation.type).in_place && std::find(inputs.begin(), inputs.end(), use) != inputs.end()) {
      say(op, fmt::format("({}) cannot write `{}` in place", name_of(operation.type), tensor.name),
          "its results depend on elements that it would overwrite; give it another output");
    }
    writers_.push_back({op, last_writer_[use.tensor], copies_touched(trace_, use)});
    last_writer_[use.tensor] = static_cast<std::uint32_t>(writers_.size() - 1);
  }

  void finish(std::uint32_t tensor) {
    const auto& t = trace_.tensors[tensor];
    const std::uint32_t writer = last_writer_[tensor];
    const auto say_tensor = [&](std::string message, std::string help) {
      problems_.push_back({std::move(message), std::move(help), std::nullopt, tensor});
    };
    if (writer == kNone && !is_read_[tensor]) say_tensor(fmt::format("no operator uses tensor `{}`", t.name), {});
    if (writer == kNone || is_read_[tensor] || t.role == Role::output || t.role == Role::kv_cache) return;
    const auto& last = trace_.operators[writers_[writer].op];
    const bool gives_more = std::any_of(last.outputs.begin(), last.outputs.end(),
                                        [&](const TensorUse& use) { return is_read_[use.tensor]; });
    if (!last.dead && !gives_more) {  // of a split some columns may be for nobody
      say_tensor(fmt::format("operator `{}` writes `{}`, which nothing reads", last.name, t.name),
                 "give the tensor role `output`, or mark the operator dead");
    }
  }

  void dead_work() {
    const auto& all = trace_.operators;
    if (std::none_of(all.begin(), all.end(), [](const Operator& op) { return op.dead; })) return;
    const auto graph = operator_graph(trace_);
    for (const auto& edge : boost::make_iterator_range(boost::edges(graph))) {
      const auto from = static_cast<std::uint32_t>(boost::source(edge, graph));
      const auto to = static_cast<std::uint32_t>(boost::target(edge, graph));
      if (graph[edge].kind == Dependence::read_after_write && trace_.operators[from].dead &&
          !trace_.operators[to].dead) {
        say(from, fmt::format("is marked dead, but `{}` reads its result", trace_.operators[to].name));
      }
    }
  }

  const Trace& trace_;
  Problems& problems_;
  std::vector<Writer> writers_;             // in program order
  std::vector<std::uint32_t> last_writer_;  // by tensor, in writers_
  std::vector<bool> is_read_;
};

std::string cycle_text(const Trace& trace, const std::vector<std::uint32_t>& cycle) {
  // Starts at the operator that comes first, so that the text does not depend on the search.
  const auto first = std::min_element(cycle.begin(), cycle.end()) - cycle.begin();
  std::string text;
  for (std::size_t i = 0; i <= cycle.size(); ++i) {
    const auto op = cycle[(static_cast<std::size_t>(first) + i) % cycle.size()];
    text += fmt::format("{}{}", i ? " -> " : "", trace.operators[op].name);
  }
  return text;
}

// The way from `from` to `to` along "waits for"; empty if there is none.
std::vector<std::uint32_t> waiting_path(const OperatorGraph& graph, std::uint32_t from, std::uint32_t to) {
  const auto view = within_iteration(graph);
  std::vector<std::int64_t> came_from(boost::num_vertices(graph), -1);
  std::deque<std::uint32_t> open{from};
  while (!open.empty()) {
    const auto at = open.front();
    open.pop_front();
    for (const auto& edge : boost::make_iterator_range(boost::in_edges(at, view))) {
      const auto before = static_cast<std::uint32_t>(boost::source(edge, graph));
      if (came_from[before] >= 0) continue;
      came_from[before] = at;
      if (before == to) {
        std::vector<std::uint32_t> path{to};
        while (path.back() != from) path.push_back(static_cast<std::uint32_t>(came_from[path.back()]));
        return {path.rbegin(), path.rend()};
      }
      open.push_back(before);
    }
  }
  return {};
}

}  // namespace

void check_operands(const Trace& trace, Problems& problems) {
  std::vector<std::int64_t> last_writer(trace.tensors.size(), -1);
  std::vector<std::int64_t> producers;
  for (std::uint32_t i = 0; i < trace.operators.size(); ++i) {
    const auto& op = trace.operators[i];
    producers.clear();
    for (const auto& use : op.inputs) producers.push_back(last_writer[use.tensor]);
    OperandCheck check(trace, i, producers, problems);
    rule_of(op.type).check(check);
    for (const auto& use : op.outputs) last_writer[use.tensor] = i;
  }
}

void check_data_flow(const Trace& trace, Problems& problems) { DataFlow(trace, problems).run(); }

void check_order(const Trace& trace, Problems& problems) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> forward;
  for (std::uint32_t i = 0; i < trace.operators.size(); ++i) {
    for (const auto before : trace.operators[i].dependencies) {
      if (before >= trace.operators.size()) {
        problems.push_back(
            {fmt::format("operator `{}` depends on operator {}, which there is not", trace.operators[i].name, before),
             {},
             i,
             std::nullopt});
        return;
      }
      if (before >= i) forward.emplace_back(i, before);
    }
  }
  if (forward.empty()) return;
  const auto graph = operator_graph(trace);
  for (const auto& [op, later] : forward) {
    const auto& name = trace.operators[op].name;
    // Does the later one need this one, by any way but the dependency in question?
    auto path = op == later ? std::vector<std::uint32_t>{op} : waiting_path(graph, later, op);
    if (path.empty()) {
      problems.push_back(
          {fmt::format("operator `{}` depends on `{}`, which comes later", name, trace.operators[later].name),
           "operators are written in program order", op, std::nullopt});
      continue;
    }
    if (path.size() > 1) path.pop_back();
    std::vector<std::uint32_t> cycle{op};
    if (op != later) cycle.insert(cycle.end(), path.begin(), path.end());
    problems.push_back({fmt::format("operators wait for each other: {}", cycle_text(trace, cycle)),
                        fmt::format("each needs the next to end first; `{}` must not depend on `{}`", name,
                                    trace.operators[later].name),
                        op, std::nullopt});
  }
}

}  // namespace archsim
