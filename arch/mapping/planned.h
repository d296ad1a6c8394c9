// What was decided about a trace before commands are written.
#pragma once

#include <vector>

#include "arch/mapping/batch/batched_trace.h"
#include "arch/mapping/overrule/choices.h"
#include "arch/mapping/plan/plans.h"
#include "arch/mapping/plan/staging.h"
#include "arch/mapping/schedule/schedule.h"

namespace archsim {

struct Planned {
  BatchedTrace batched;
  std::vector<std::uint32_t> loops;  // that were batched, one after another
  Schedule schedule;
  StagedTrace staged;
  Plans plans;
};

/// Errors: as map, and decisions of the user that cannot be, each at its place.
Checked<Planned> plan_trace(const Trace& trace, const MachineView& machine, const MappingOptions& options,
                            const Overrules& overrules = {});

/// The program that does what was decided. Errors: more address patterns than registers.
Checked<Program> program_of(const Trace& trace, const MachineView& machine, const MappingOptions& options,
                            Planned planned);

}  // namespace archsim
