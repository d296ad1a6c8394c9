// The files that a sweep file names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweep/plan/plan.h"

namespace archsim {

/// Where the file called `node` is: from the current folder, from the sweep file's folder or its parents, from the program's own.
std::optional<std::string> find_input(const YamlNode& node, const YamlNode& root, Diagnostics& out);

/// `trace: pi0.trace`, a list of them, or maps `{file, weight, set, recipe}`.
void append_workloads(const YamlEntry& entry, bool is_trace, const YamlNode& root, std::vector<WorkloadUse>& uses,
                      Diagnostics& out);

}  // namespace archsim
