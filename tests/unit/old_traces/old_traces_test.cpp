// Trace files of format version 1 as earlier builds wrote them, with what `trace info` said of them then.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/source_dir.h"
#include "traces/file/trace_reader.h"
#include "traces/file/write_trace.h"
#include "traces/show/info.h"

namespace archsim {
namespace {

const std::filesystem::path kFolder = std::filesystem::path(ARCHSIM_SOURCE_DIR) / "tests/data/traces";

class OldTrace : public testing::TestWithParam<const char*> {};

TEST_P(OldTrace, LoadsAndCountsAsItDid) {
  const auto trace = read_trace((kFolder / GetParam()).string() + ".trace");
  ASSERT_TRUE(trace) << render(trace.diagnostics());
  std::ifstream file((kFolder / GetParam()).string() + ".info.json");
  const auto then = nlohmann::json::parse(file);
  const nlohmann::json now = trace_info_json(*trace);
  ASSERT_GT(then.size(), 10U);
  for (const auto& [key, value] : then.items()) EXPECT_EQ(now.at(key), value) << key;
}

TEST_P(OldTrace, WritesBackToTheSameBytes) {
  const auto path = (kFolder / GetParam()).string() + ".trace";
  const auto trace = read_trace(path);
  ASSERT_TRUE(trace);
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  EXPECT_EQ(trace_bytes(*trace), bytes.str());
}

INSTANTIATE_TEST_SUITE_P(Stored, OldTrace, testing::Values("tiny", "pi0", "openvla", "resnet18"));

}  // namespace
}  // namespace archsim
