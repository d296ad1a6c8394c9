// Casts where an operator that multiplies needs another element type than its operand is stored in.
#pragma once

#include "traces/recipes/apply.h"
#include "traces/recipes/wanted.h"

namespace archsim {

/// Casts stand right before their reader; readers of one value in one body share a cast. Keys and values that an array
/// decodes need none. `converted` starts as the given trace.
void insert_casts(Converted& converted, const std::vector<Wanted>& wanted);

}  // namespace archsim
