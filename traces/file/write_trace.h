// Trace -> file.
#pragma once

#include <cstdint>
#include <string>

#include "arch/describe/diagnostic.h"
#include "arch/workload/trace.h"

namespace archsim {

struct WrittenTrace {
  std::string digest;  // XXH3-128 of the file
  std::uint64_t bytes = 0;
};

/// Writes beside `path`, synchronises, and renames: `path` holds the old file or the whole new one, at any time.
/// Equal traces give equal bytes. `trace` must be valid.
Checked<WrittenTrace> write_trace(const Trace& trace, const std::string& path);

/// The bytes that write_trace would write.
std::string trace_bytes(const Trace& trace);

}  // namespace archsim
