// What a machine does with a trace at best, told like a run: the same rows, from the bound alone.
#pragma once

#include "app/answer/answer.h"
#include "arch/machine/capabilities.h"
#include "arch/workload/trace.h"

namespace archsim {

/// Times are the bound's. An operator ends at its bound and starts its own time on arrays, lanes or host before, each at peak; so
/// rows overlap as the bound lets them. Bytes of a stage are the growth of those that must have crossed the DRAM's pins, of an operator those that
/// it would need alone. `bound` is a what-if as in a run, by the bound of machines with a resource doubled.
Answer roofline_answer(const Trace& trace, const MachineView& machine);

}  // namespace archsim
