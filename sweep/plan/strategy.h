// `strategy`, `samples` and `fidelity` of a sweep file.
#pragma once

#include "sweep/plan/plan.h"

namespace archsim {

/// Into `plan`, whose axes and objectives have been read. `root` is where what is missing is missed; entries may be null.
void read_strategy(const YamlEntry* strategy, const YamlEntry* samples, const YamlNode& root, Plan& plan,
                   Diagnostics& out);
void read_fidelity(const YamlEntry* entry, Plan& plan, Diagnostics& out);

}  // namespace archsim
