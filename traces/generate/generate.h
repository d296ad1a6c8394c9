// Workload file -> trace. docs/workload_files.md describes the files.
#pragma once

#include <string>
#include <vector>

#include "arch/describe/diagnostic.h"
#include "arch/workload/trace.h"

namespace archsim {

/// The trace that the workload file `source` describes with `settings` such as "dtype=int8" (the values of `--set`).
/// It is valid, or there are diagnostics at the user's own lines, all mistakes at once.
Checked<Trace> generate_trace(const Source& source, const std::vector<std::string>& settings);

/// The same from a file.
Checked<Trace> build_trace(const std::string& path, const std::vector<std::string>& settings);

}  // namespace archsim
