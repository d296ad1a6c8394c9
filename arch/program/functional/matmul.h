// The systolic array's arithmetic.
#pragma once

#include "arch/program/functional/datapath.h"

namespace archsim {

/// All operands must lie inside `local`.
void execute_matmul(const Matmul& matmul, LocalMemories& local);

}  // namespace archsim
