// The two units that compute.
#pragma once

#include "arch/program/datapath/datapath.h"

namespace archsim {

/// The systolic array. All operands must lie inside `local`.
void execute_matmul(const Matmul& matmul, LocalMemories& local);

/// The vector unit, row by row. All operands must lie inside `local`.
void execute_vector(const Vector& vector, LocalMemories& local);

}  // namespace archsim
