// Any text, read as a profiler's Chrome trace: it must end in times that are none below zero, or in errors.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "traces/measured/profile.h"

using namespace archsim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto profile = read_profile(text, "fuzz.json");
  if (profile) {
    for (const auto& one : profile->known) ARCHSIM_ASSERT(one.time_s >= 0.0 && profile->find(one.signature) == &one);
    for (const auto& one : profile->others) ARCHSIM_ASSERT(one.time_s > 0.0);
  } else {
    ARCHSIM_ASSERT(!render(profile.diagnostics()).empty());
  }
  return 0;
}
