#include "arch/mapping/plan/panels.h"

#include <algorithm>

#include "arch/mapping/plan/lifetimes.h"

namespace archsim {
namespace {

const TensorUse& left_operand(const Trace& trace, const Group& group) {
  return trace.operators[group.products[0]].inputs[0];
}

bool is_linear(const Trace& trace, const Group& group) {
  return group.work == Work::product && trace.operators[group.products[0]].type == OperatorType::linear;
}

}  // namespace

std::vector<bool> panel_tensors(const Trace& trace, const Schedule& schedule) {
  std::vector<bool> may(trace.tensors.size()), is_read(trace.tensors.size()), is_written(trace.tensors.size());
  for (std::size_t t = 0; t < may.size(); ++t) may[t] = trace.tensors[t].role == Role::activation;
  for (const auto& group : schedule.groups) {
    const auto uses = uses_of(trace, group);
    for (const auto& use : uses.reads) {
      is_read[use.tensor] = true;
      // A tensor that is also added to the result is read in the result's tiles.
      const bool is_only_left = is_linear(trace, group) && use == left_operand(trace, group) &&
                                (group.residual == Group::kNone || !(use == group.residual_input));
      if (!is_only_left && group.work != Work::attention) may[use.tensor] = false;
    }
    for (const auto& use : uses.writes) {
      is_written[use.tensor] = true;
      if (!is_linear(trace, group)) may[use.tensor] = false;
    }
  }
  for (std::size_t t = 0; t < may.size(); ++t) may[t] = may[t] && is_read[t] && is_written[t];
  // Whoever uses single copies finds them as they are.
  for (const auto& [joined, storage] : schedule.joined.storage) {
    if (is_read[storage] || is_written[storage]) may[joined] = false;
    may[storage] = false;
  }
  return may;
}

void put_panels(const Trace& trace, const Schedule& schedule, const Plans& plans, MemoryPlan& memory) {
  const auto may = panel_tensors(trace, schedule);
  std::vector<std::uint64_t> widths(trace.tensors.size());
  std::vector<bool> agrees(trace.tensors.size(), true);
  const auto read_as = [&](std::uint32_t tensor, std::uint64_t width) {
    agrees[tensor] = agrees[tensor] && (widths[tensor] == 0 || widths[tensor] == width);
    widths[tensor] = width;
  };
  for (const auto& [g, plan] : plans.products) read_as(left_operand(trace, schedule.groups[g]).tensor, plan.k_tile);
  for (const auto& [g, plan] : plans.attentions) {
    const auto& group = schedule.groups[g];
    const auto& op = trace.operators[group.last()];
    const auto width = static_cast<std::uint64_t>(op.integer("head_dim", 1));
    for (std::size_t i = 0; i < op.inputs.size(); ++i) read_as(loaded_operand(trace, group, i).tensor, width);
  }
  for (std::size_t t = 0; t < may.size(); ++t) {
    const auto& tensor = trace.tensors[t];
    if (!may[t] || !agrees[t] || widths[t] >= tensor.shape.back()) continue;
    memory.placements[t].layout = {.tile_rows = static_cast<std::uint32_t>(tensor.elements() / tensor.shape.back()),
                                   .tile_columns = static_cast<std::uint32_t>(widths[t])};
  }
}

}  // namespace archsim
