// How long commands take, as far as the mapper needs to know.
#pragma once

#include "arch/machine/capabilities.h"

namespace archsim {

/// Cycles for which the command keeps its engine: what the machine says, or a rough guess if it says nothing.
double command_cycles(const AcceleratorCapabilities& npu, const Command& command);

/// Bytes a cycle of `clock`.
double per_cycle(Bandwidth bandwidth, Frequency clock);

}  // namespace archsim
