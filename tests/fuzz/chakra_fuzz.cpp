// Any bytes, read as a Chakra execution trace: they must end in a valid trace or in errors.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "arch/workload/count.h"
#include "traces/import/chakra/chakra.h"
#include "traces/import/graph_kind.h"

using namespace archsim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  graph_kind_of(bytes);
  const auto trace = import_chakra(bytes, "fuzz", "fuzz.et");
  if (trace) {
    count(*trace);
  } else {
    ARCHSIM_ASSERT(!render(trace.diagnostics()).empty());
  }
  return 0;
}
