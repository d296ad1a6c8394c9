// The trace as a whole: outputs, splits of products, one stage.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "traces/import/onnx/lower/builder.h"

namespace archsim::onnx_graph {

// An output that is an input, or only another view of something, is copied to a place of its own.
void Builder::mark_outputs() {
  for (const Id id : graph_.outputs) {
    const auto found = placed_.find(id);
    if (found == placed_.end() || graph_[id].is_stored) continue;
    Index index = found->second.tensor;
    if (trace_.tensors[index].role != Role::activation) {
      const Tensor like = trace_.tensors[index];
      if (like.role == Role::output) continue;
      const Index copy = scratch(graph_[id].name + ".copy", like.shape, like.dtype, like.scale);
      emit(graph_[id].name + ".copy", OperatorType::cast, {index}, {copy});
      index = copy;
    }
    trace_.tensors[index].role = Role::output;
  }
}

// A linear whose result is only cut into runs of columns writes the runs itself.
void Builder::split_linears() {
  std::vector<std::vector<Index>> readers(trace_.tensors.size());
  for (Index op = 0; op < trace_.operators.size(); ++op) {
    for (const auto& use : trace_.operators[op].inputs) readers[use.tensor].push_back(op);
  }
  std::vector<bool> is_gone(trace_.operators.size(), false);
  for (auto& linear : trace_.operators) {
    if (linear.type != OperatorType::linear || linear.outputs.size() != 1) continue;
    const Tensor& whole = trace_.tensors[linear.outputs[0].tensor];
    auto& slices = readers[linear.outputs[0].tensor];
    const auto begin = [&](Index op) { return trace_.operators[op].integer("begin", 0); };
    const auto is_run = [&](Index op) {
      const auto& each = trace_.operators[op];
      return each.type == OperatorType::slice && each.integer("axis", 0) == 1;
    };
    if (slices.size() < 2 || whole.role != Role::activation || !std::all_of(slices.begin(), slices.end(), is_run)) {
      continue;
    }
    std::sort(slices.begin(), slices.end(), [&](Index a, Index b) { return begin(a) < begin(b); });
    std::uint64_t covered = 0;
    for (const Index op : slices) {
      if (static_cast<std::uint64_t>(begin(op)) != covered) break;
      covered += trace_.tensors[trace_.operators[op].outputs[0].tensor].shape.back();
    }
    const bool are_plain = std::all_of(slices.begin(), slices.end(), [&](Index op) {
      const Tensor& part = trace_.tensors[trace_.operators[op].outputs[0].tensor];
      return part.shape.size() == whole.shape.size() && part.dtype == whole.dtype && part.scale == whole.scale;
    });
    if (covered != whole.shape.back() || !are_plain) continue;
    linear.outputs.clear();
    for (const Index op : slices) {
      linear.outputs.push_back(trace_.operators[op].outputs[0]);
      is_gone[op] = true;
    }
  }
  std::size_t at = 0;
  std::erase_if(trace_.operators, [&](const Operator&) { return is_gone[at++]; });
}

void Builder::drop_unused_tensors() {
  constexpr auto kNone = static_cast<Index>(-1);
  std::vector<Index> to(trace_.tensors.size(), kNone);
  std::vector<Tensor> kept;
  const auto keep = [&](TensorUse& use) {
    if (to[use.tensor] == kNone) {
      to[use.tensor] = static_cast<Index>(kept.size());
      kept.push_back(std::move(trace_.tensors[use.tensor]));
    }
    use.tensor = to[use.tensor];
  };
  for (auto& op : trace_.operators) {
    for (auto& use : op.inputs) keep(use);
    for (auto& use : op.outputs) keep(use);
  }
  trace_.tensors = std::move(kept);
}

Trace Builder::take(std::string model) {
  mark_outputs();
  split_linears();
  drop_unused_tensors();
  trace_.model = std::move(model);
  trace_.loops = {{"graph", 1}};
  Stage stage{.name = "graph", .repeat = {.loop = 0, .body = {}}};
  for (Index op = 0; op < trace_.operators.size(); ++op) stage.repeat.body.emplace_back(op);
  if (!trace_.operators.empty()) trace_.stages.push_back(std::move(stage));
  return std::move(trace_);
}

}  // namespace archsim::onnx_graph
