// The traces of a plan's workloads.
#pragma once

#include "arch/workload/trace.h"
#include "sweep/space/space.h"

namespace archsim {

/// The trace of `use` as the variant wants it; mistakes of settings stand at `where`.
Checked<Trace> load_trace(const WorkloadUse& use, const Variant& variant, const Location& where);

}  // namespace archsim
