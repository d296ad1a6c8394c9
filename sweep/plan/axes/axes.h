// The section `axes` of a sweep file.
#pragma once

#include <vector>

#include "sweep/plan/plan.h"

namespace archsim {

std::vector<Axis> read_axes(const YamlEntry& section, Diagnostics& out);

/// Settings as a map `{npu.rows: 64}`; paths as those of --set.
std::vector<Assignment> read_settings(const YamlNode& map, Diagnostics& out);

}  // namespace archsim
