// Any bytes, read as an ONNX model: they must end in a valid trace or in errors.
#include <cstddef>
#include <cstdint>
#include <string>

#include "arch/describe/diagnostic.h"
#include "arch/workload/count.h"
#include "traces/import/onnx/import_onnx.h"

using namespace archsim;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto trace = import_onnx_bytes(bytes, "fuzz.onnx", {.model = "fuzz", .dims = {"n=2"}});
  if (trace) {
    count(*trace);
  } else {
    ARCHSIM_ASSERT(!render(trace.diagnostics()).empty());
  }
  return 0;
}
