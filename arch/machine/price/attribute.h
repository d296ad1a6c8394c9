// Energy of a run's operators: what each one's events cost, and what is left.
#pragma once

#include "arch/machine/price/evaluate.h"

namespace archsim {

/// Fills `operators_j` and `unattributed_j`, which together are the energy of the run.
void attribute(const RunResult& run, const std::vector<PricedBlock>& blocks, const Numbers& numbers, Ppa& out);

}  // namespace archsim
