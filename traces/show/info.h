// What `archsim trace info|export|cat` print.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>

#include "arch/describe/diagnostic.h"
#include "arch/workload/trace.h"

namespace archsim {

/// The counts of docs/counting.md; the keys are those of the command's `--format json`.
nlohmann::ordered_json trace_info_json(const Trace& trace);

/// The same as a table.
std::string trace_info_table(const Trace& trace);

/// The whole trace, structure and all.
nlohmann::ordered_json trace_json(const Trace& trace);

/// One operator a line, with its instances, as the file is read: memory grows with the tables of tensors and loops only.
/// What was printed before an error stays printed.
Checked<std::uint64_t> cat_trace(const std::string& path, std::ostream& out);

}  // namespace archsim
