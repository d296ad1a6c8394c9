// x times a stored weight, in whatever type the two have.
#pragma once

#include "traces/import/onnx/lower/builder.h"

namespace archsim::onnx_graph {

struct Linear {
  Index x = 0;              // [rows, inputs]
  Id weight = kAbsent;      // a stored value of inputs x outputs elements
  std::string layout = {};  // how it is laid out, if not as [inputs, outputs] anyway
  Id bias = kAbsent;
  std::int64_t inputs = 1, outputs = 1;
};

/// Writes y, a tensor of so many columns. Quantized x and weight multiply as they are; otherwise both are real numbers.
void emit_linear(Builder& builder, const std::string& name, const Linear& linear, Index y);

/// The bias of a product of these types: of int8 in the unit of the accumulator.
Index stored_bias(Builder& builder, Id bias, std::int64_t columns, Index x, Index weight);
/// x in a type that its stored weight can have too.
Index multipliable(Builder& builder, Index x, const Value& weight, const Value& meant);

}  // namespace archsim::onnx_graph
