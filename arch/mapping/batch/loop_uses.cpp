#include "arch/mapping/batch/loop_uses.h"

#include <algorithm>

namespace archsim {

std::vector<std::uint32_t> operators_in(const Step& step) {
  if (const auto* op = std::get_if<std::uint32_t>(&step)) return {*op};
  std::vector<std::uint32_t> all;
  for (const auto& inner : std::get<Repeat>(step).body) {
    const auto operators = operators_in(inner);
    all.insert(all.end(), operators.begin(), operators.end());
  }
  return all;
}

LoopUses::LoopUses(const BatchedTrace& from, const Repeat& repeat)
    : from_(from),
      trace_(from.trace),
      loop_(repeat.loop),
      operators_(operators_in(Step(repeat))),
      is_inside_(trace_.operators.size()),
      is_written_(trace_.tensors.size()) {
  for (const std::uint32_t op : operators_) {
    is_inside_[op] = true;
    for (const auto& use : trace_.operators[op].outputs) is_written_[use.tensor] = true;
  }
  are_independent_ = check();
}

bool LoopUses::has_loop(const TensorUse& use) const {
  return std::any_of(use.copy.begin(), use.copy.end(), [&](const CopyIndex& index) { return index.loop == loop_; });
}

bool LoopUses::is_joinable(const TensorUse& use) const {
  const auto& tensor = trace_.tensors[use.tensor];
  if (tensor.shape.size() < 2) return false;
  if (use.copy.empty()) return is_written_[use.tensor] && tensor.copies.empty();
  return use.copy.size() == 1 && use.copy[0] == CopyIndex{loop_, 0} && tensor.copies[0] == trace_.loops[loop_].count;
}

bool LoopUses::begins_with_a_write(std::uint32_t tensor) const {
  const auto is_of = [&](const TensorUse& use) { return use.tensor == tensor; };
  const TensorUse* first = nullptr;
  for (const std::uint32_t op : operators_) {
    const auto& inputs = trace_.operators[op].inputs;
    const auto& outputs = trace_.operators[op].outputs;
    for (const auto* uses : {&inputs, &outputs}) {
      const auto use = std::find_if(uses->begin(), uses->end(), is_of);
      if (use == uses->end()) continue;
      if (!first && uses == &inputs) return false;
      if (!first) first = &*use;
      if (!(*use == *first)) return false;
    }
  }
  return first != nullptr;
}

bool LoopUses::is_used_outside(std::uint32_t tensor) const {
  for (std::uint32_t op = 0; op < trace_.operators.size(); ++op) {
    if (is_inside_[op]) continue;
    for (const auto* uses : {&trace_.operators[op].inputs, &trace_.operators[op].outputs}) {
      if (std::any_of(uses->begin(), uses->end(), [&](const TensorUse& use) { return use.tensor == tensor; }))
        return true;
    }
  }
  return false;
}

bool LoopUses::check() const {
  std::vector<bool> is_seen(trace_.tensors.size());
  for (const std::uint32_t op : operators_) {
    for (const auto* uses : {&trace_.operators[op].inputs, &trace_.operators[op].outputs}) {
      for (const auto& use : *uses) {
        // Batched once is enough.
        if (is_own(use) && (from_.joined.is_joined(use.tensor) || from_.joined.of(use.tensor) != use.tensor))
          return false;
        if (!is_written_[use.tensor]) continue;
        if (has_loop(use)) {
          const bool is_this_iteration = std::all_of(use.copy.begin(), use.copy.end(), [&](const CopyIndex& index) {
            return index.loop != loop_ || index.offset == 0;
          });
          if (!is_this_iteration) return false;
          continue;
        }
        if (is_seen[use.tensor]) continue;
        is_seen[use.tensor] = true;
        if (trace_.tensors[use.tensor].role != Role::activation) return false;
        if (!begins_with_a_write(use.tensor) || is_used_outside(use.tensor)) return false;
      }
    }
  }
  // A tensor has a value an iteration everywhere in the body, or nowhere.
  for (const std::uint32_t op : operators_) {
    for (const auto& use : trace_.operators[op].inputs) {
      if (is_written_[use.tensor] && is_seen[use.tensor] && has_loop(use)) return false;
      if (is_written_[use.tensor] && !is_seen[use.tensor] && !has_loop(use)) return false;
    }
  }
  return true;
}

bool LoopUses::all_own(const std::vector<TensorUse>& uses) const {
  return std::all_of(uses.begin(), uses.end(), [&](const TensorUse& use) { return is_own(use) && is_joinable(use); });
}

bool LoopUses::is_elementwise_batchable(const Operator& op) const {
  const auto& a = trace_.tensors[op.inputs[0].tensor];
  const auto& b = trace_.tensors[op.inputs[1].tensor];
  if (all_own(op.inputs)) return a.shape == b.shape;
  const bool is_one_row = b.elements() == b.shape.back();
  return all_own({op.inputs[0]}) && is_shared(op.inputs[1]) && is_one_row && a.elements() != a.shape.back();
}

bool LoopUses::is_batchable(std::uint32_t index) const {
  const auto& op = trace_.operators[index];
  if (!all_own(op.outputs)) return false;
  const auto rest_is_shared = [&] {
    return all_own({op.inputs[0]}) &&
           std::all_of(op.inputs.begin() + 1, op.inputs.end(), [&](const TensorUse& use) { return is_shared(use); });
  };
  const auto is_along_columns = [&] {
    return op.integer("axis", 0) == 1 && trace_.tensors[op.outputs[0].tensor].shape.size() == 2;
  };
  switch (op.type) {
    case OperatorType::linear:
    case OperatorType::layernorm:
    case OperatorType::rmsnorm:
      return rest_is_shared();
    case OperatorType::attention:
    case OperatorType::softmax:
    case OperatorType::gelu:
    case OperatorType::silu:
    case OperatorType::relu:
    case OperatorType::tanh:
    case OperatorType::sigmoid:
    case OperatorType::scale:
    case OperatorType::cast:
      return all_own(op.inputs);
    case OperatorType::glu:
    case OperatorType::axpy:
    case OperatorType::add:
    case OperatorType::sub:
    case OperatorType::mul:
      return is_elementwise_batchable(op);
    case OperatorType::concat:
    case OperatorType::slice:
      return is_along_columns() && all_own(op.inputs);
    default:
      return false;
  }
}

bool LoopUses::is_batchable(const Step& step) const {
  const auto operators = operators_in(step);
  return std::all_of(operators.begin(), operators.end(), [&](std::uint32_t op) { return is_batchable(op); });
}

}  // namespace archsim
