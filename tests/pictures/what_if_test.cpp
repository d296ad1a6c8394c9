// `run --what-if`: each row is a run with that resource doubled for good.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "app/what_if/doublings.h"
#include "tests/program_run/program.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

TEST(WhatIf, RowsAreTheRunsThatTheirSettingsMake) {
  const TemporaryFolder folder;
  const std::string trace = small_trace(folder);
  const Outcome outcome = archsim_program({"--config", kEdge, "--trace", trace, "--set", "dram.channels=4", "--what-if",
                                           "--json", folder.file("run.json")});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json run = Json::parse(text_of_file(folder.file("run.json")));
  std::set<std::string> resources;
  double before = -1.0;
  for (const Json& row : run["what_if"]) {
    resources.insert(row["resource"]);
    EXPECT_GE(row["time_s"].get<double>(), before) << "the largest saving first";
    before = row["time_s"];
    EXPECT_NEAR(row["saves_s"].get<double>(), run["time_s"].get<double>() - before, 1e-12);
  }
  EXPECT_EQ(resources, (std::set<std::string>{"compute", "vector", "sram", "dma", "noc", "dram", "cpu", "launch",
                                              "clock", "capacity"}));
  // One of them by hand.
  const Json eight = run_json_of(kEdge, trace, {"dram.channels=8"});
  for (const Json& row : run["what_if"]) {
    if (row["resource"] == "dram") {
      EXPECT_EQ(row["time_s"], eight["time_s"]);
    }
  }
  // The label of the run is what saves most, to 3 % of the time; clock and capacity are no labels.
  double best = 0.0, label = 0.0;
  for (const Json& row : run["what_if"]) {
    if (row["resource"] != "clock" && row["resource"] != "capacity")
      best = std::max(best, row["saves_s"].get<double>());
    if (row["resource"] == run["bound"]) label = row["saves_s"];
  }
  EXPECT_LE(best - label, 0.03 * run["time_s"].get<double>());
  EXPECT_THAT(outcome.out, testing::HasSubstr("what if each were doubled"));
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
}

TEST(WhatIf, DoublingsAreSettingsOfTheMachine) {
  const Json config = Json::parse(R"({"clocks": {"a": "800 MHz", "c": "2 GHz"}, "blocks": {
    "cpu": {"kind": "cpu", "clock": "c", "launch": "2 us", "interrupt": "6 us", "fork_join": "0.5 us"},
    "core0": {"kind": "accel", "clock": "a", "dtypes": {"int8": 2.0}, "vector_lanes": 64},
    "core1": {"kind": "accel", "clock": "a", "dtypes": {"int8": 2.0}, "vector_lanes": 64},
    "l2": {"kind": "sram", "port_width": "32 B", "capacity": "1.5 MiB"}}})");
  std::map<std::string, std::vector<std::string>> all;
  for (const auto& [resource, settings] : doublings(config)) all[resource] = settings;
  EXPECT_EQ(all["compute"], std::vector<std::string>{"core.dtypes.int8=4"});
  EXPECT_EQ(all["vector"], std::vector<std::string>{"core.vector_lanes=128"});
  EXPECT_EQ(all["sram"], std::vector<std::string>{"l2.port_width=64 B"});
  EXPECT_EQ(all["capacity"], std::vector<std::string>{"l2.capacity=3 MiB"});
  EXPECT_EQ(all["clock"], std::vector<std::string>{"clocks.a=1600 MHz"});
  EXPECT_EQ(all["cpu"], std::vector<std::string>{"clocks.c=4 GHz"});
  EXPECT_EQ(all["launch"],
            (std::vector<std::string>{"cpu.launch=1 us", "cpu.interrupt=3 us", "cpu.fork_join=0.25 us"}));
  EXPECT_FALSE(all.contains("dram"));
  EXPECT_FALSE(all.contains("noc"));
}

}  // namespace
}  // namespace archsim
