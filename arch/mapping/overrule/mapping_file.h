// Mapping files: reading and writing.
#pragma once

#include <string>

#include "arch/machine/capabilities.h"
#include "arch/mapping/overrule/choices.h"
#include "arch/mapping/planned.h"
#include "arch/workload/trace.h"

namespace archsim {

/// Errors, all of the file at once: unknown keys and operators, values that are none, what this machine does not have. Whether
/// tiles fit is found when the trace is mapped.
Checked<Overrules> read_mapping(const Source& source, const Trace& trace, const MachineView& machine);

/// All that a mapping file can say. Read back it leads to the same program.
std::string write_mapping(const Trace& trace, const MachineView& machine, const Planned& planned);

/// The name of an operator in a mapping file: its own, with its number where several have one name.
std::vector<std::string> operator_names(const Trace& trace);

}  // namespace archsim
