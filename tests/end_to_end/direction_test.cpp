// More of a resource moves the stages that need it, in the right direction; and what can be worked out by hand.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/program_run/program.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

const Json& stage(const Json& run, const std::string& name) {
  for (const Json& row : run["stages"]) {
    if (row["name"] == name) return row;
  }
  ADD_FAILURE() << "no stage " << name;
  return run["stages"].front();
}

double time_s(const Json& run, const std::string& name) { return stage(run, name)["time_s"]; }

class Direction : public testing::Test {
 protected:
  Json run(const std::vector<std::string>& settings = {}) { return run_json_of(kEdge, trace_, settings); }

  TemporaryFolder folder_;
  std::string trace_ = small_trace(folder_);
};

TEST_F(Direction, MoreRowsShortenWhatTheArrayBinds) {
  const Json base = run(), more = run({"npu.rows=128"});
  EXPECT_LT(time_s(more, "prefix_prefill"), 0.9 * time_s(base, "prefix_prefill"));
  EXPECT_GE(time_s(more, "prefix_prefill"), 0.5 * time_s(base, "prefix_prefill"));
  EXPECT_LE(more["time_s"], base["time_s"]);
}

TEST_F(Direction, AFasterClockShortensTheWholeButNotMoreThanItIsFaster) {
  const Json base = run(), more = run({"clocks.npu=2 GHz"});
  EXPECT_LT(time_s(more, "prefix_prefill"), 0.9 * time_s(base, "prefix_prefill"));
  EXPECT_GE(time_s(more, "prefix_prefill"), 0.5 * time_s(base, "prefix_prefill"));
}

TEST_F(Direction, MoreChannelsShortenWhatDramBinds) {
  const Json base = run(), more = run({"dram.channels=16"});
  EXPECT_LT(time_s(more, "flow_step"), time_s(base, "flow_step"));
  EXPECT_GE(time_s(more, "flow_step"), 0.5 * time_s(base, "flow_step"));
  EXPECT_LE(more["time_s"], base["time_s"]);
}

TEST_F(Direction, FewerChannelsLengthenEveryStageThatReadsWeights) {
  const Json base = run(), fewer = run({"dram.channels=4", "dram.capacity=8 GiB"});
  EXPECT_GT(time_s(fewer, "flow_step"), 1.2 * time_s(base, "flow_step"));
  EXPECT_GE(time_s(fewer, "prefix_prefill"), time_s(base, "prefix_prefill"));
}

TEST_F(Direction, ALargerScratchpadIsNotSlower) {
  const Json small = run({"npu.scratchpad.capacity=512 KiB"}), large = run({"npu.scratchpad.capacity=4 MiB"});
  EXPECT_LE(large["time_s"].get<double>(), 1.01 * small["time_s"].get<double>());
}

class Doubled : public Direction, public testing::WithParamInterface<const char*> {};

TEST_P(Doubled, IsNotSlower) {
  const double base = run()["time_s"], doubled = run({GetParam()})["time_s"];
  EXPECT_LE(doubled, 1.005 * base) << doubled / base;
}

INSTANTIATE_TEST_SUITE_P(Params, Doubled,
                         testing::Values("npu.scratchpad.capacity=4 MiB", "npu.accumulator=1 MiB",
                                         "npu.vector_lanes=256", "npu.dma.outstanding=32", "l2.capacity=32 MiB",
                                         "dram.channels=16", "npu.rows=128", "npu.cols=128", "clocks.npu=2 GHz",
                                         "clocks.noc=2 GHz", "noc.link_width=128 B"));

TEST(ByHand, PrefillAndFlowOfPi0) {
  const TemporaryFolder folder;
  const std::string trace = folder.file("pi0.trace");
  ASSERT_EQ(archsim_program({"trace", "build", "traces/workloads/pi0.yaml", "-o", trace, "--set", "dtype=int8"}).status,
            0);
  const Json run = run_json_of(kEdge, trace);
  EXPECT_GE(time_s(run, "prefix_prefill"), 1666.2481e9 /* MACs */ / (4 /* npus */ * 64.0 * 64.0 * 1e9 /* MAC/s */));
  EXPECT_NEAR(time_s(run, "prefix_prefill"), 0.1017, 0.4 * 0.1017);
  const Json info = Json::parse(archsim_program({"trace", "info", trace, "--format", "json"}).out);
  const double unique = stage(info, "flow_step")["weight_elements"];  // int8: a byte each
  EXPECT_GE(stage(run, "flow_step")["dram_bytes"], unique);
  EXPECT_LE(run["roofline"]["bound_s"], run["time_s"]);
  EXPECT_GE(run["roofline"]["efficiency"], 1.0 / 1.4);
}

}  // namespace
}  // namespace archsim
