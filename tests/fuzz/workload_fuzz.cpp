// Any text, read as a workload file: it must end in a valid trace or in located errors.
#include <cstddef>
#include <cstdint>
#include <string>

#include "arch/workload/count.h"
#include "arch/workload/rules/validate.h"
#include "traces/generate/generate.h"

using namespace archsim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto trace = generate_trace(make_source("fuzz.yaml", text), {});
  if (!trace) {
    ARCHSIM_ASSERT(!render(trace.diagnostics()).empty());
    return 0;
  }
  ARCHSIM_ASSERT(problems_of(*trace).empty());
  count(*trace);
  return 0;
}
