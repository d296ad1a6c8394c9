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

Consequence concat(const Operator& op, std::span<const Dependence> inputs) {
  Consequence out;
  out.result.everywhere = !inputs.empty();
  for (const auto& input : inputs) {
    out.result.reach = std::max(out.result.reach, input.reach);
    out.result.everywhere = out.result.everywhere && input.everywhere;
  }
  const bool joins_columns = op.integer("axis", 0) != 0;
  if (joins_columns && !out.result.everywhere && out.result.reach != Reach::none) out.result.reach = Reach::part;
  out.work_follows = out.result.everywhere;
  return out;
}

// The last query sees all keys whatever the mask, and every query sees all keys but those of the last segment. In a batch,
// a query sees its own part only.
Consequence attention(const Operator& op, std::span<const Dependence> inputs) {
  const bool masked = op.text("mask", "none") != "none";
  Consequence out;
  out.work_follows = inputs[0].everywhere;
  const bool is_batch = op.integer("batch", 1) != 1;
  out.caches_follow = is_batch ? inputs[0].everywhere : inputs[0].reach == Reach::all;
  out.result = inputs[0];
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    const auto seen = is_batch ? scramble(inputs[i]) : mix_rows(inputs[i]);
    const bool by_all = !masked || i + 2 < inputs.size();
    out.result = stronger(out.result, {seen.reach, seen.everywhere && by_all});
  }
  return out;
}

Consequence matmul(const Trace& trace, const Operator& op, std::span<const Dependence> inputs) {
  const bool is_plain = !op.flag("transpose_b", false) && trace.tensors[op.inputs[1].tensor].shape.size() == 2;
  Consequence out;
  out.work_follows = inputs[0].everywhere || inputs[1].everywhere;
  out.result = stronger(mix_columns(inputs[0]), is_plain ? mix_rows(inputs[1]) : scramble(inputs[1]));
  return out;
}

Consequence by_type(const Trace& trace, const Operator& op, std::span<const Dependence> inputs) {
  switch (op.type) {
    case OperatorType::linear:
    case OperatorType::layernorm:
    case OperatorType::rmsnorm:
    case OperatorType::softmax:
    case OperatorType::sincos:
      return by_row(inputs[0]);
    case OperatorType::attention:
      return attention(op, inputs);
    case OperatorType::matmul:
      return matmul(trace, op, inputs);
    case OperatorType::concat:
      return concat(op, inputs);
    case OperatorType::patchify: {
      const auto result = scramble(inputs[0]);
      return {.result = result, .work_follows = result.everywhere};
    }
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
      return elementwise(inputs);
    default:
      return some_elements(inputs);
  }
}

}  // namespace

Consequence propagate(const Trace& trace, const Operator& op, std::span<const Dependence> inputs) {
  auto out = by_type(trace, op, inputs);
  if (out.result.reach >= Reach::rows && rows(trace.tensors[op.outputs[0].tensor]) == 1) out.result.everywhere = true;
  if (out.result.everywhere) out.result.reach = Reach::all;
  return out;
}

}  // namespace archsim
