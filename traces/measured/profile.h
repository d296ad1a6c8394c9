// What a profiler measured on another machine: PyTorch's (Kineto) or any other's Chrome trace.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arch/describe/diagnostic.h"
#include "traces/measured/signature.h"

namespace archsim {

/// Calls of one signature, or of one name. Times are seconds, of all calls together.
struct Measured {
  Signature signature;
  std::string name;  // the call's own: "aten::linear"
  std::uint64_t calls = 0;
  double time_s = 0.0;
};

struct Profile {
  std::vector<Measured> known;   // calls whose work is understood, ascending by signature
  std::vector<Measured> others;  // time outside them, by name, the longest first; `signature` is empty
  double time_s = 0.0;           // of all: known and others
  bool is_of_kernels = false;    // times of the device's kernels; else of the calls on the CPU

  const Measured* find(const Signature& signature) const;
};

/// Reads the complete events (phase X; times in microseconds) of a Chrome trace, an object with `traceEvents` or the list
/// alone. A call holds what it calls: the outermost one that is understood counts, with its children's time. With kernels
/// in the file (category `kernel`, `gpu_memcpy`, `gpu_memset`), a call's time is that of those it launched, found by
/// `External id`, or by `correlation` and the launching call's place. Without one `aten::` call, each event stands for the
/// operator of its name, and what is nested in it counts apart.
/// Errors: no JSON, no complete events, an event without name and times. `path` is for messages.
/// Formats: "Trace Event Format" (Chromium); libkineto/src/output_json.cpp.
Checked<Profile> read_profile(std::string_view text, const std::string& path);

}  // namespace archsim
