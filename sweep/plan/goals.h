// The sections `constraints` and `objectives` of a sweep file.
#pragma once

#include "sweep/plan/plan.h"

namespace archsim {

/// Null sections: none were given. The plan's axes must be there.
void read_constraints(const YamlEntry* section, Plan& plan, Diagnostics& out);
void read_objectives(const YamlEntry* section, Plan& plan, Diagnostics& out);

/// Whether energy, power and area can be told; else why not.
std::string why_unpriced(const Plan& plan);

}  // namespace archsim
