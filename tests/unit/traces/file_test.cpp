#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/random_trace/random_trace.h"
#include "tests/source_dir.h"
#include "traces/file/format.h"
#include "traces/file/trace_reader.h"
#include "traces/file/write_trace.h"
#include "traces/generate/generate.h"
#include "traces/show/info.h"
#include "traces/show/listing.h"

namespace archsim {
namespace {

using ::testing::HasSubstr;

namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::path(::testing::TempDir()) / ("archsim_" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string operator/(const char* name) const { return (path / name).string(); }
};

Trace tiny() {
  auto trace = build_trace(std::string(ARCHSIM_SOURCE_DIR) + "/traces/workloads/tiny.yaml", {"dtype=int8"});
  EXPECT_TRUE(trace) << render(trace.diagnostics());
  return *std::move(trace);
}

Checked<Trace> read(std::string bytes) {
  auto reader = TraceReader::from_bytes(std::move(bytes), "t.trace");
  if (!reader) return reader.diagnostics();
  return read_trace(*std::move(reader), "t.trace");
}

std::string error(std::string bytes) {
  const auto trace = read(std::move(bytes));
  return trace ? "no error" : render(trace.diagnostics());
}

TEST(TraceFile, ReadsBackWhatItWrote) {
  const Folder folder;
  const auto trace = tiny();
  const auto written = write_trace(trace, folder / "a.trace");
  ASSERT_TRUE(written) << render(written.diagnostics());
  const auto back = read_trace(folder / "a.trace");
  ASSERT_TRUE(back) << render(back.diagnostics());
  EXPECT_EQ(list_trace(*back).text, list_trace(trace).text);
  EXPECT_EQ(back->digest, written->digest);
  EXPECT_EQ(back->digest.size(), 32U);
  EXPECT_EQ(fs::file_size(folder / "a.trace"), written->bytes);
}

TEST(TraceFile, ReadsBackRandomTraces) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto trace = random_trace(seed);
    const auto back = read(trace_bytes(trace));
    ASSERT_TRUE(back) << render(back.diagnostics());
    EXPECT_EQ(list_trace(*back).text, list_trace(trace).text);
    EXPECT_EQ(trace_bytes(*back), trace_bytes(trace));
  }
}

TEST(TraceFile, EqualTracesAreEqualBytes) { EXPECT_EQ(trace_bytes(tiny()), trace_bytes(tiny())); }

TEST(TraceFile, TheDigestIsThatOfTheFile) {
  const Folder folder;
  const auto written = write_trace(tiny(), folder / "a.trace");
  RunningDigest digest;
  digest.add(trace_bytes(tiny()));
  EXPECT_EQ(written->digest, digest.hex());
  // XXH3-128 of nothing, from the algorithm's own test vectors.
  EXPECT_EQ(RunningDigest().hex(), "99aa06d3014798d86001c324468d497f");
}

TEST(TraceFile, WritingLeavesNothingElseBehind) {
  const Folder folder;
  ASSERT_TRUE(write_trace(tiny(), folder / "a.trace"));
  ASSERT_TRUE(write_trace(tiny(), folder / "a.trace"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()), 1);
  const auto nowhere = write_trace(tiny(), folder / "no/such/folder.trace");
  ASSERT_FALSE(nowhere);
  EXPECT_THAT(render(nowhere.diagnostics()), HasSubstr("No such file or directory"));
}

TEST(TraceFile, APipeIsWrittenToAndNotReplaced) {
  const Folder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int end = ::open(pipe.c_str(), O_RDWR | O_NONBLOCK);  // so that nobody waits for a reader
  ASSERT_GE(end, 0);
  ASSERT_TRUE(write_trace(tiny(), pipe));
  EXPECT_TRUE(fs::is_fifo(pipe));
  std::string begin(kTraceMagic.size(), '\0');
  EXPECT_EQ(::read(end, begin.data(), begin.size()), static_cast<ssize_t>(begin.size()));
  EXPECT_EQ(begin, kTraceMagic);
  ::close(end);
}

TEST(TraceFile, EveryTruncationIsNoticed) {
  const auto whole = trace_bytes(tiny());
  for (std::size_t length = 0; length < whole.size(); length += length < 400 ? 1 : 37) {
    const auto said = error(whole.substr(0, length));
    if (length < kTraceMagic.size()) {
      EXPECT_THAT(said, HasSubstr("is not a trace")) << length;
    } else {
      EXPECT_THAT(said, HasSubstr("trace `t.trace` is truncated")) << length;
    }
  }
  EXPECT_THAT(error(whole.substr(0, whole.size() - 1)), HasSubstr("needs 1 bytes more than the file has"));
}

TEST(TraceFile, EveryFlippedByteIsNoticed) {
  const auto whole = trace_bytes(tiny());
  for (std::size_t at = 0; at < whole.size(); at += 11) {
    auto bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x41);
    EXPECT_NE(error(bytes), "no error") << at;
  }
  EXPECT_THAT(error(whole + "x"), HasSubstr("is one of 1 after the end record"));
}

TEST(TraceFile, ReadsFarBeyondTheFirstOperatorsOnlyOnDemand) {
  auto reader = TraceReader::from_bytes(trace_bytes(tiny()), "t.trace");
  ASSERT_TRUE(reader);
  const auto first = reader->next();
  ASSERT_TRUE(first);
  EXPECT_EQ(std::get<TraceHeader>(*first).model, "tiny");
}

TEST(TraceFile, InfoHasTheKeysThatOthersRelyOn) {
  const auto json = trace_info_json(tiny());
  for (const auto* key :
       {"model", "digest", "macs", "attention_macs", "parameters", "operators", "weight_bytes", "stages"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  for (const auto* key : {"name", "repeat", "macs", "attention_macs", "weight_elements", "kv_read_bytes",
                          "kv_write_bytes", "activation_bytes", "score_elements", "vector_elements"}) {
    EXPECT_TRUE(json["stages"][0].contains(key)) << key;
  }
  EXPECT_EQ(json["operators"], tiny().operators.size());
}

TEST(TraceFile, CatPrintsOneOperatorALine) {
  const Folder folder;
  ASSERT_TRUE(write_trace(tiny(), folder / "a.trace"));
  std::ostringstream out;
  const auto printed = cat_trace(folder / "a.trace", out);
  ASSERT_TRUE(printed);
  EXPECT_EQ(*printed, tiny().operators.size());
  const auto text = out.str();
  EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), tiny().operators.size());
  EXPECT_THAT(text, HasSubstr("x4 linear step.layer.attention.q("));  // two steps of two layers
}

TEST(TraceFile, JsonHoldsEveryOperator) {
  const auto text = trace_json(tiny()).dump();
  for (const auto& op : tiny().operators) EXPECT_THAT(text, HasSubstr("\"" + op.name + "\""));
}

}  // namespace
}  // namespace archsim
