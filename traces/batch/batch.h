// Several inputs in one pass.
#pragma once

#include <cstdint>

#include "arch/workload/trace.h"

namespace archsim {

/// Every tensor but weights and constants gets a copy for each of `samples`, its last copy dimension, and every run of operators
/// that stand beside each other in a body becomes a loop over them: weights are fetched as before, everything else is done for each.
void add_batch(Trace& trace, std::uint32_t samples);

}  // namespace archsim
