#include "models/roofline/reach.h"

#include <algorithm>
#include <cstddef>

namespace archsim {
namespace {

std::uint64_t rows(const Tensor& tensor) {
  return tensor.shape.empty() || tensor.elements() == 0 ? 1 : tensor.elements() / tensor.shape.back();
}

Dependence everywhere() { return {Reach::all, true}; }

// Every element of a result row needs the whole row of x.
Dependence mix_columns(Dependence x) {
  if (x.reach == Reach::part) x.reach = Reach::rows;
  return x;
}

// Elements move to other rows and columns.
Dependence scramble(Dependence x) {
  if (x.everywhere || x.reach == Reach::none) return x;
  return {Reach::part, false};
}

Dependence stronger(Dependence a, Dependence b) { return {std::max(a.reach, b.reach), a.everywhere || b.everywhere}; }

// Element (m, n) needs column n of b, whose every row is needed.
Dependence mix_rows(Dependence b) { return b.reach >= Reach::rows ? everywhere() : b; }

Consequence by_row(Dependence x) {
  return {.result = mix_columns(x),
          .work_follows = x.everywhere,
          .weights_follow = x.reach == Reach::all,
          .caches_follow = false};
}

Consequence elementwise(std::span<const Dependence> inputs) {
  Consequence out;
  for (const auto& input : inputs) out.result = stronger(out.result, input);
  out.work_follows = out.result.everywhere;
  out.weights_follow = out.result.everywhere;
  return out;
}

// A result made of some elements of the inputs, whichever: only what holds of each of them is sure.
Consequence some_elements(std::span<const Dependence> inputs) {
  Consequence out;
  out.result.everywhere = !inputs.empty();
  for (const auto& input : inputs) out.result.everywhere = out.result.everywhere && input.everywhere;
  out.work_follows = out.result.everywhere;
  return out;
}

// An operand of a join has its own rows of the result, or its own columns of all rows.
Consequence join(std::span<const Dependence> inputs, bool joins_columns) {
  Consequence out;
  out.result.everywhere = !inputs.empty();
  for (const auto& input : inputs) {
    out.result.reach = std::max(out.result.reach, input.reach);
    out.result.everywhere = out.result.everywhere && input.everywhere;
  }
  if (joins_columns) out.result = scramble(out.result);
  out.work_follows = out.result.everywhere;
  return out;
}

}  // namespace

ReachRule::ReachRule(const Trace& trace, const Operator& op)
    : kind_(kind_of(op)),
      is_masked_(op.text("mask", "none") != "none"),
      is_batch_(op.integer("batch", 1) != 1 ||
                (op.type == OperatorType::matmul && trace.tensors[op.inputs[1].tensor].shape.size() != 2)),
      is_transposed_(op.flag("transpose_b", false)),
      has_single_row_(rows(trace.tensors[op.outputs[0].tensor]) == 1) {}

Consequence ReachRule::operator()(std::span<const Dependence> inputs) const {
  auto out = by_kind(inputs);
  if (out.result.reach >= Reach::rows && has_single_row_) out.result.everywhere = true;
  if (out.result.everywhere) out.result.reach = Reach::all;
  return out;
}

ReachRule::Kind ReachRule::kind_of(const Operator& op) {
  switch (op.type) {
    case OperatorType::linear:
    case OperatorType::layernorm:
    case OperatorType::rmsnorm:
    case OperatorType::softmax:
    case OperatorType::sincos:
      return Kind::by_row;
    case OperatorType::attention:
      return Kind::attention;
    case OperatorType::matmul:
      return Kind::matmul;
    case OperatorType::concat:
      return op.integer("axis", 0) == 0 ? Kind::join_rows : Kind::join_columns;
    case OperatorType::gelu:
    case OperatorType::silu:
    case OperatorType::relu:
    case OperatorType::tanh:
    case OperatorType::sigmoid:
    case OperatorType::glu:
    case OperatorType::rope:
    case OperatorType::add:
    case OperatorType::sub:
    case OperatorType::mul:
    case OperatorType::scale:
    case OperatorType::axpy:
    case OperatorType::cast:
    case OperatorType::broadcast:
      return Kind::elementwise;
    default:
      return Kind::some_elements;
  }
}

Consequence ReachRule::by_kind(std::span<const Dependence> inputs) const {
  switch (kind_) {
    case Kind::by_row:
      return by_row(inputs[0]);
    case Kind::elementwise:
      return elementwise(inputs);
    case Kind::attention:
      return attention(inputs);
    case Kind::matmul:
      return matmul(inputs);
    case Kind::join_rows:
      return join(inputs, false);
    case Kind::join_columns:
      return join(inputs, true);
    case Kind::some_elements:
      break;
  }
  return some_elements(inputs);
}

// The last query sees all keys whatever the mask, and every query sees all keys but those of the last segment. In a batch,
// a query sees its own part only.
Consequence ReachRule::attention(std::span<const Dependence> inputs) const {
  Consequence out;
  out.work_follows = inputs[0].everywhere;
  out.caches_follow = is_batch_ ? inputs[0].everywhere : inputs[0].reach == Reach::all;
  out.result = inputs[0];
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    const auto seen = is_batch_ ? scramble(inputs[i]) : mix_rows(inputs[i]);
    const bool by_all = !is_masked_ || i + 2 < inputs.size();
    out.result = stronger(out.result, {seen.reach, seen.everywhere && by_all});
  }
  return out;
}

Consequence ReachRule::matmul(std::span<const Dependence> inputs) const {
  Consequence out;
  out.work_follows = inputs[0].everywhere || inputs[1].everywhere;
  out.result =
      stronger(mix_columns(inputs[0]), is_batch_ || is_transposed_ ? scramble(inputs[1]) : mix_rows(inputs[1]));
  return out;
}

}  // namespace archsim
