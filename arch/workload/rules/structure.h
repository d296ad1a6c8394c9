// The parts of validation, in the order in which they may be asked. Each needs the ones before it to have found nothing.
#pragma once

#include "arch/workload/rules/problem.h"
#include "arch/workload/trace.h"

namespace archsim {

/// Loops, stages and steps: indices in range, each operator and loop placed once, operators in program order.
void check_steps(const Trace& trace, Problems& problems);
/// Names, extents, copies and scales of tensors.
void check_tensors(const Trace& trace, Problems& problems);
/// Names, operand counts, attributes and copy indices of operators.
void check_operators(const Trace& trace, Problems& problems);
/// Shapes and element types.
void check_operands(const Trace& trace, Problems& problems);
/// Who writes what before who reads it; dead work; roles.
void check_data_flow(const Trace& trace, Problems& problems);
/// Explicit dependencies: cycles and order mistakes.
void check_order(const Trace& trace, Problems& problems);

}  // namespace archsim
