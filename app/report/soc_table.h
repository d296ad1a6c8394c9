// What a SoC file comes to: blocks, peaks, memory map, and what its interconnect lets through.
#pragma once

#include <vector>

#include "app/report/text_table.h"
#include "arch/describe/diagnostic.h"
#include "arch/machine/soc_spec.h"

namespace archsim {

/// The tables, and in `out` a warning for each memory that its ports, the interconnect or the accelerators' DMAs throttle.
std::vector<TextTable> soc_tables(const SocSpec& spec, Diagnostics& out);

}  // namespace archsim
