// Runs of operators that did several iterations at once, as runs of single iterations.
#pragma once

#include <vector>

#include "arch/machine/run_result.h"
#include "arch/program/program.h"

namespace archsim {

/// One run for each executed instance of the trace, sorted by (operator, iteration). Instances that were executed together have
/// one window, and equal shares of what the machine did for them; shares add up exactly.
std::vector<OperatorRun> of_the_trace(const std::vector<OperatorRun>& runs, const Program& program);

}  // namespace archsim
