// The bound, told stage by stage: what each resource would take at its peak, and when a stage can end at the earliest.
#pragma once

#include <vector>

#include "app/report/text_table.h"
#include "arch/machine/capabilities.h"
#include "arch/workload/trace.h"
#include "models/roofline/bound.h"

namespace archsim {

/// The stages, and the operators that take the largest part of all time at peak.
std::vector<TextTable> roofline_tables(const Trace& trace, const MachineView& machine, const Bound& bound);

}  // namespace archsim
