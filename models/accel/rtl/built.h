// What the accelerator's RTL can do, and which of the cores in this program is the one that params ask for.
#pragma once

#include <string>

#include "accel-rtl/dv/core.h"
#include "arch/describe/diagnostic.h"
#include "arch/machine/capabilities.h"
#include "models/accel/tables.h"

namespace archsim {

/// The RTL's parameters for these params, in an SoC with so many accelerators.
rtl::CoreParams core_params(const SystolicParams& params, unsigned accelerators);

/// The core to run, or an error that says how to build it. `where`: the block in the user's file.
Checked<const rtl::BuiltCore*> core_for(const SystolicParams& params, unsigned accelerators, const Location& where);

/// What the RTL has of them: int8 products, weights or outputs stationary, no vector unit.
SystolicParams rtl_subset(SystolicParams params);
/// What the mapper may know of it; the name is left to the SoC.
AcceleratorCapabilities rtl_capabilities(const SystolicParams& params, Frequency clock);

}  // namespace archsim
