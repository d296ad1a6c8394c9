// Any text, read as a PyTorch execution trace: it must end in a valid trace or in errors.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "arch/workload/count.h"
#include "traces/import/graph_kind.h"
#include "traces/import/pytorch/execution_trace.h"

using namespace archsim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  graph_kind_of(text);
  const auto trace = import_execution_trace(text, "fuzz", "fuzz.json");
  if (trace) {
    count(*trace);
  } else {
    ARCHSIM_ASSERT(!render(trace.diagnostics()).empty());
  }
  return 0;
}
