// Caches that a later stage reads again and again are copied into l2 once, in front of that stage.
#pragma once

#include "arch/mapping/plan/memory_plan.h"
#include "arch/mapping/schedule/schedule.h"

namespace archsim {

/// A trace and its schedule, in which copies of some tensors are tensors of their own, behind those of the original. The
/// schedule has groups (Work::staging) that fill them; the operators of the stage read the copies.
struct StagedTrace {
  Trace trace;
  Schedule schedule;
  MemoryPlan memory;
  std::uint32_t copies = 0;  // tensors added
};

/// Plans memory, with copies if `allowed` and if they all find a place in l2. Errors: as plan_memory.
Checked<StagedTrace> stage_caches(const Trace& trace, const MachineView& machine, const Schedule& schedule,
                                  bool allowed);

}  // namespace archsim
