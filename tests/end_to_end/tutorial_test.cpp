// The SoC that docs/tutorials/a_soc_of_your_own.md builds is good at every step, and runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/program_run/program.h"
#include "tests/source_dir.h"

namespace archsim {
namespace {

/// The YAML blocks of a page, in order.
std::vector<std::string> yaml_blocks(const std::string& page) {
  const std::string text = text_of_file(std::string(ARCHSIM_SOURCE_DIR) + "/" + page);
  const std::string open = "```yaml\n";
  std::vector<std::string> blocks;
  for (auto at = text.find(open); at != std::string::npos; at = text.find(open, at)) {
    at += open.size();
    blocks.push_back(text.substr(at, text.find("```", at) - at));
  }
  return blocks;
}

TEST(Tutorial, EveryStepIsGoodAndTheLastOneRuns) {
  const auto blocks = yaml_blocks("docs/tutorials/a_soc_of_your_own.md");
  ASSERT_EQ(blocks.size(), 3U);
  const TemporaryFolder folder;
  const std::string trace = small_trace(folder), soc = folder.file("delivery_robot.yaml");
  for (const std::string& text : {blocks[0], blocks[1], blocks[1] + blocks[2]}) {
    std::ofstream(soc) << text;
    const Outcome outcome = archsim_program({"check", soc});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
  }
  const auto run = run_json_of(soc, trace);
  EXPECT_EQ(run["config"]["soc"], "delivery_robot");
  EXPECT_EQ(run["config"]["placement"]["dram"].dump(), "[[0,2],[2,2]]");
  for (const char* setting : {"npu.rows=64", "npu[1].rows=64", "clocks.npu=1.2 GHz"}) {
    EXPECT_NE(run_json_of(soc, trace, {setting})["time_s"], run["time_s"]) << setting;
  }
}

class ConfigFiles : public testing::TestWithParam<const char*> {};

TEST_P(ConfigFiles, PassTheCheckAndRun) {
  const TemporaryFolder folder;
  const std::string path = std::string("configs/soc/") + GetParam() + ".yaml";
  const Outcome check = archsim_program({"check", path});
  EXPECT_EQ(check.status, 0);
  EXPECT_THAT(check.err, testing::Not(testing::HasSubstr("error")));
  EXPECT_GT(run_json_of(path, small_trace(folder))["time_s"], 0.0);
}

INSTANTIATE_TEST_SUITE_P(Shipped, ConfigFiles, testing::Values("edge_lpddr5", "humanoid_hbm3", "rtl_small"),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace
}  // namespace archsim
