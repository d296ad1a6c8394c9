// What is said about files that are no sound traces; the words are in the .expected files beside this one.
#include <gtest/gtest.h>

#include "tests/diagnostics/fixture.h"
#include "tests/source_dir.h"
#include "tests/unit/workload/small_trace.h"
#include "traces/file/format.h"
#include "traces/file/trace_reader.h"
#include "traces/file/write_trace.h"

namespace archsim {
namespace {

std::string said_about(std::string bytes) {
  auto reader = TraceReader::from_bytes(std::move(bytes), "bad.trace");
  if (!reader) return render(reader.diagnostics());
  const auto trace = read_trace(*std::move(reader), "bad.trace");
  return trace ? "nothing" : render(trace.diagnostics());
}

testing::AssertionResult are_words_of(const std::string& name, const std::string& said) {
  return is_expected_for(std::string(ARCHSIM_SOURCE_DIR) + "/tests/diagnostics/trace_files/" + name + ".trace", said);
}

TEST(BadTrace, Missing) { EXPECT_TRUE(are_words_of("missing", render(read_trace("no/such.trace").diagnostics()))); }

TEST(BadTrace, NotATrace) {
  EXPECT_TRUE(are_words_of("not_a_trace", said_about("\x7f"
                                                     "ELF\x02\x01\x01 and so on and on")));
}

TEST(BadTrace, AWorkloadFile) { EXPECT_TRUE(are_words_of("workload_file", said_about("workload: pi0\nabout: pi0\n"))); }

TEST(BadTrace, Truncated) {
  const auto bytes = trace_bytes(small_trace());
  EXPECT_TRUE(are_words_of("truncated", said_about(bytes.substr(0, bytes.size() / 2))));
}

TEST(BadTrace, TruncatedBetweenRecords) {
  auto bytes = trace_bytes(small_trace());
  // The end record: length, tag and length, counts of loops, tensors, operators and stages, checksum.
  const std::size_t end = 1 + 2 + 4 * 2 + 1 + 8;
  EXPECT_TRUE(are_words_of("truncated_end", said_about(bytes.substr(0, bytes.size() - end))));
}

TEST(BadTrace, OfAnotherVersion) {
  auto bytes = trace_bytes(small_trace());
  bytes[kTraceMagic.size()] = 99;
  EXPECT_TRUE(are_words_of("other_version", said_about(bytes)));
}

TEST(BadTrace, Damaged) {
  auto bytes = trace_bytes(small_trace());
  bytes.replace(bytes.find("up_weight"), 2, "UP");
  EXPECT_TRUE(are_words_of("damaged", said_about(bytes)));
}

TEST(BadTrace, WithAnUnknownOperator) {
  auto bytes = trace_bytes(small_trace());
  bytes.replace(bytes.find("linear"), 6, "liniar");
  EXPECT_TRUE(are_words_of("unknown_operator", said_about(bytes)));
}

TEST(BadTrace, WithACycle) {
  auto trace = small_trace();
  trace.operators[0].dependencies = {1};
  EXPECT_TRUE(are_words_of("cycle", said_about(trace_bytes(trace))));
}

TEST(BadTrace, WithAShapeMismatch) {
  auto trace = small_trace();
  trace.tensors[3].shape = {32, 8};
  EXPECT_TRUE(are_words_of("shape_mismatch", said_about(trace_bytes(trace))));
}

}  // namespace
}  // namespace archsim
