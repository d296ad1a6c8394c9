// Activations that products write, and only products and attention read, lie as panels of columns, one behind the other, each
// row-major: what is loaded at a time, some rows of a panel, is then one piece of memory and not a short piece of every row.
#pragma once

#include <vector>

#include "arch/mapping/plan/memory_plan.h"
#include "arch/mapping/plan/plans.h"

namespace archsim {

/// By tensor: true if it may lie in panels, whichever their width.
std::vector<bool> panel_tensors(const Trace& trace, const Schedule& schedule);

/// Lays them out as wide as their readers' tiles or heads are, if all of these agree.
void put_panels(const Trace& trace, const Schedule& schedule, const Plans& plans, MemoryPlan& memory);

}  // namespace archsim
