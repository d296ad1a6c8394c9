// The machine with one of its resources doubled, as far as the bound knows resources.
#pragma once

#include <optional>

#include "arch/machine/capabilities.h"
#include "arch/machine/lanes.h"

namespace archsim {

/// Doubled MACs, vector lanes, DRAM bandwidth or host speed; nothing for a resource that the bound does not know.
std::optional<MachineView> doubled(const MachineView& machine, Doubling doubling);

}  // namespace archsim
