// All groups onto the tapes of all accelerators.
#pragma once

#include <vector>

#include "arch/mapping/emit/tape.h"
#include "arch/mapping/plan/plans.h"

namespace archsim {

/// One tape for each accelerator.
std::vector<Tape> emit_tapes(const Trace& trace, const MachineView& machine, const Schedule& schedule,
                             const MemoryPlan& memory, const Plans& plans, LaunchMode launch);

}  // namespace archsim
