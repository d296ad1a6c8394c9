// Any bytes, read as a trace, and again as records in front of an end record that fits them (random bytes never have the
// right checksum): they must end in a valid trace, which writes and reads back as itself, or in errors.
#include <cstddef>
#include <cstdint>
#include <string>

#include "arch/describe/diagnostic.h"
#include "arch/workload/count.h"
#include "traces/archsim_trace.pb.h"
#include "traces/file/format.h"
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

void check(const std::string& bytes) {
  const auto trace = read(bytes);
  if (!trace) {
    ARCHSIM_ASSERT(!render(trace.diagnostics()).empty());
    return;
  }
  count(*trace);
  const auto back = read(trace_bytes(*trace));
  ARCHSIM_ASSERT(back.has_value(), render(back.diagnostics()));
  ARCHSIM_ASSERT(list_trace(*back).text == list_trace(*trace).text, "it reads back differently");
}

// `records` behind a prologue and before an end record with the counts of what can be read of them.
std::string sealed(const std::string& records) {
  std::string bytes(kTraceMagic);
  bytes.push_back(static_cast<char>(kTraceVersion));
  bytes.append(3, '\0');
  bytes += records;
  proto::Record record;
  auto& end = *record.mutable_end();
  auto reader = TraceReader::from_bytes(bytes, "fuzz.trace");
  if (!reader) return bytes;
  for (auto each = reader->next(); each; each = reader->next()) {
    if (std::holds_alternative<TraceEnd>(*each)) return bytes;
    if (std::holds_alternative<Loop>(*each)) end.set_loops(end.loops() + 1);
    if (std::holds_alternative<Tensor>(*each)) end.set_tensors(end.tensors() + 1);
    if (std::holds_alternative<Operator>(*each)) end.set_operators(end.operators() + 1);
    if (std::holds_alternative<BeginStage>(*each)) end.set_stages(end.stages() + 1);
  }
  RunningDigest digest;
  digest.add(bytes);
  end.set_checksum(digest.low64());
  const auto body = record.SerializeAsString();
  bytes.push_back(static_cast<char>(body.size()));  // far below 128, so one byte of varint
  return bytes + body;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  check(bytes);
  check(sealed(bytes));
  return 0;
}
