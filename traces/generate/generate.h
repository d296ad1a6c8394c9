// Workload file -> trace. docs/workload_files.md describes the files.
#pragma once

#include <string>
#include <vector>

#include "arch/describe/diagnostic.h"
#include "arch/workload/trace.h"

namespace archsim {

/// The trace that the workload file `source` describes with `settings` such as "steps=5" (the values of `--set`), in the
/// formats of `recipe` (a name or a file; empty: what the file says, or `dtype=NAME` among the settings).
/// It is valid, or there are diagnostics at the user's own lines, all mistakes at once.
Checked<Trace> generate_trace(const Source& source, const std::vector<std::string>& settings,
                              const std::string& recipe = {});

/// The same from a file.
Checked<Trace> build_trace(const std::string& path, const std::vector<std::string>& settings,
                           const std::string& recipe = {});

}  // namespace archsim
