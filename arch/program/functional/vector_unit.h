// The vector unit: one command, row by row.
#pragma once

#include "arch/program/functional/datapath.h"

namespace archsim {

/// All operands must lie inside `local`.
void execute_vector(const Vector& vector, LocalMemories& local);

}  // namespace archsim
