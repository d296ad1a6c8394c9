// The direct evaluation of a trace: what its operators mean, on numbers, in trace order. No machine in it.
//
// Rounding. Each operator reads its inputs as q * scale in fp32 and rounds once, into its outputs, exactly as the command
// set does (arch/program/command.h), so a program that computes an operator with its own commands equals it bit for bit:
// - linear, matmul: int8 x int8 sums in int32 from the bias on; an int8 output is `requantize`d by
//   requantization(x.scale * w.scale / y.scale), any other is float(sum) * float(x.scale * w.scale). Other types sum in fp32,
//   in ascending k, from the bias (widened to fp32) on.
// - elementwise operators, norms, softmax, rope, sincos: the functions of arch/program/numbers/rows.h. glu rounds the
//   activation to fp32 before the product.
// - attention is evaluated in double: a program's online softmax may differ by its rounding of p to the operands' type.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "arch/program/reference/values.h"

namespace archsim {

/// The outputs of one instance of `op`, a valid operator of `trace`.
std::vector<Array> evaluate(const Trace& trace, const Operator& op, const std::vector<const Array*>& inputs);

/// Calls `visit(operator, iterations)` for each instance of each operator, in trace order.
void for_each_instance(const Trace& trace,
                       const std::function<void(std::uint32_t op, const Iterations& iterations)>& visit);

/// Runs the trace: afterwards `values` holds what every tensor copy holds at its end.
void evaluate(const Trace& trace, TensorValues& values);

}  // namespace archsim
