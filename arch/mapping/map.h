// From a trace and a machine to the program that the machine runs. Pure and deterministic: no SystemC, no clock, no chance.
#pragma once

#include "arch/describe/diagnostic.h"
#include "arch/machine/capabilities.h"
#include "arch/machine/mapping_options.h"
#include "arch/program/program.h"
#include "arch/workload/trace.h"

namespace archsim {

/// The program of a valid trace (arch/workload/rules). Errors: an operator that nothing can run, a scratchpad or accumulator
/// too small for any tile (with the bytes needed and the operator), a memory too small, more address patterns than registers.
Checked<Program> map(const Trace& trace, const MachineView& machine, const MappingOptions& options);
/// As the machine's own options say.
inline Checked<Program> map(const Trace& trace, const MachineView& machine) {
  return map(trace, machine, machine.mapping);
}

}  // namespace archsim
