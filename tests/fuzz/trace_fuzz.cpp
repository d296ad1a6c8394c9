// Any bytes, read as a trace: they must end in a valid trace, which writes and reads back as itself, or in errors.
#include <cstddef>
#include <cstdint>
#include <string>

#include "arch/describe/diagnostic.h"
#include "arch/workload/count.h"
#include "traces/file/trace_reader.h"
#include "traces/file/write_trace.h"
#include "traces/show/listing.h"

using namespace archsim;

namespace {

Checked<Trace> read(const std::string& bytes) {
  auto reader = TraceReader::from_bytes(bytes, "fuzz.trace");
  if (!reader) return reader.diagnostics();
  return read_trace(*std::move(reader), "fuzz.trace");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto trace = read(bytes);
  if (!trace) {
    ARCHSIM_ASSERT(!render(trace.diagnostics()).empty());
    return 0;
  }
  count(*trace);
  const auto back = read(trace_bytes(*trace));
  ARCHSIM_ASSERT(back.has_value(), render(back.diagnostics()));
  ARCHSIM_ASSERT(list_trace(*back).text == list_trace(*trace).text, "it reads back differently");
  return 0;
}
