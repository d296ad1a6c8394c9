// `--fidelity sampled` beside `full`: the same rows and counts, and nearly the same time.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/program_run/program.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto kHumanoid = "configs/soc/humanoid_hbm3.yaml";

Json sampled_json_of(const std::string& config, const std::string& trace,
                     const std::vector<std::string>& settings = {}) {
  std::vector<std::string> words{"run", "--config", config, "--trace", trace, "--fidelity", "sampled", "--json", "-"};
  for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
  const Outcome outcome = archsim_program(words);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return Json::parse(outcome.out.empty() ? "{}" : outcome.out);
}

void expect_same_rows(const Json& full, const Json& sampled) {
  ASSERT_EQ(sampled["operators"].size(), full["operators"].size());
  for (std::size_t i = 0; i < full["operators"].size(); ++i) {
    const Json &one = full["operators"][i], &other = sampled["operators"][i];
    for (const char* key : {"index", "name", "op", "stage", "repeat_path", "engine", "macs", "dram_bytes"}) {
      EXPECT_EQ(one[key], other[key]) << one["name"] << " " << one["repeat_path"] << " " << key;
    }
    EXPECT_NEAR(other["start_s"].get<double>(), one["start_s"].get<double>(), 0.01 * full["time_s"].get<double>());
  }
  for (std::size_t i = 0; i < full["stages"].size(); ++i) {
    for (const char* key : {"name", "repeat", "macs", "dram_bytes"}) {
      EXPECT_EQ(sampled["stages"][i][key], full["stages"][i][key]);
    }
  }
}

// What the program decides is counted exactly; what depends on addresses (which bank, which way through the network) or on time
// nearly so.
void expect_same_counts(const Json& full, const Json& sampled) {
  for (const char* key : {"macs", "dram_read_bytes", "dram_write_bytes"}) EXPECT_EQ(sampled[key], full[key]) << key;
  for (const auto& [name, block] : full["blocks"].items()) {
    const Json& other = sampled["blocks"][name];
    for (const auto& [key, count] : block["events"].items()) {
      if (block["kind"] != "accel") continue;
      EXPECT_EQ(other["events"][key], count) << name << " " << key;
    }
    for (const char* key : {"read_bytes", "commands", "macs", "load_bytes", "store_bytes", "signals", "operations"}) {
      if (!block["stats"].contains(key)) continue;
      EXPECT_EQ(other["stats"][key], block["stats"][key]) << name << " " << key;
    }
    for (const auto& [engine, shares] : other["engines"].items()) {
      double sum_s = 0.0;
      for (const auto& [share, time_s] : shares.items()) sum_s += time_s.get<double>();
      EXPECT_NEAR(sum_s, sampled["time_s"].get<double>(), 1e-11) << name << " " << engine;
      EXPECT_NEAR(shares["busy_s"].get<double>(), block["engines"][engine]["busy_s"].get<double>(),
                  0.02 * full["time_s"].get<double>())
          << name << " " << engine;
    }
  }
}

void expect_sampled_like_full(const std::string& config, const std::string& trace) {
  const Json full = run_json_of(config, trace), sampled = sampled_json_of(config, trace);
  EXPECT_EQ(sampled["fidelity"], "sampled");
  const double time_s = full["time_s"].get<double>();
  EXPECT_NEAR(sampled["time_s"].get<double>(), time_s, 0.01 * time_s);
  EXPECT_LT(sampled["sampling"]["error"].get<double>(), 0.02);
  EXPECT_GE(sampled["sampling"]["error_s"].get<double>(), 0.0);
  expect_same_rows(full, sampled);
  expect_same_counts(full, sampled);
}

// Loops of 8 layers (twice), 6 flow steps, and 6 x 8 layers in these.
const std::vector<std::string> kRepeats{"vision_layers=8", "layers=9", "steps=6"};

TEST(FidelitySampled, IsWithinAPercentOfFullOnEdge) {
  const TemporaryFolder folder;
  expect_sampled_like_full(kEdge, small_trace(folder, kRepeats));
}

TEST(FidelitySampled, IsWithinAPercentOfFullOnHumanoid) {
  const TemporaryFolder folder;
  expect_sampled_like_full(kHumanoid, small_trace(folder, kRepeats));
}

TEST(FidelitySampled, TellsWhichIterationsStandForOthers) {
  const TemporaryFolder folder;
  const Json sampled = sampled_json_of(kEdge, small_trace(folder, kRepeats));
  bool has_steps = false;
  for (const Json& loop : sampled["sampling"]["loops"]) {
    EXPECT_LT(loop["executed"].get<int>(), loop["iterations"].get<int>());
    EXPECT_LT(loop["copied"].get<int>(), loop["executed"].get<int>());
    has_steps = has_steps || (loop["name"] == "flow_step" && loop["iterations"] == 6);
  }
  EXPECT_TRUE(has_steps) << sampled["sampling"];
}

// Nothing repeats often enough to leave an iteration out: then it is the full run.
TEST(FidelitySampled, OfATraceWithoutRepeatsIsFull) {
  const TemporaryFolder folder;
  const std::string trace = small_trace(folder);
  const Json full = run_json_of(kEdge, trace), sampled = sampled_json_of(kEdge, trace);
  EXPECT_EQ(sampled["sampling"]["error_s"], 0.0);
  EXPECT_TRUE(sampled["sampling"]["loops"].empty());
  for (const char* key : {"time_s", "stages", "operators", "blocks"}) EXPECT_EQ(sampled[key], full[key]) << key;
}

// With an l2 that is a cache, what it fetches is not what accelerators ask for, and is scaled.
TEST(FidelitySampled, KnowsCaches) {
  const TemporaryFolder folder;
  const std::string trace = small_trace(folder, kRepeats), set = "l2.mode=cache";
  const Json full = run_json_of(kEdge, trace, {set}), sampled = sampled_json_of(kEdge, trace, {set});
  const double time_s = full["time_s"].get<double>(), bytes = full["dram_read_bytes"].get<double>();
  EXPECT_NEAR(sampled["time_s"].get<double>(), time_s, 0.03 * time_s);
  EXPECT_NEAR(sampled["dram_read_bytes"].get<double>(), bytes, 0.03 * bytes);
}

TEST(FidelitySampled, DrawsNoTimeline) {
  const TemporaryFolder folder;
  const Outcome outcome = archsim_program({"run", "--config", kEdge, "--trace", small_trace(folder), "--fidelity",
                                           "sampled", "--timeline", folder.file("timeline.json")});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("`--timeline` draws every command"), std::string::npos) << outcome.err;
}

TEST(FidelitySampled, ShortensNoRtl) {
  const TemporaryFolder folder;
  const Outcome outcome = archsim_program({"run", "--config", "configs/soc/rtl_small.yaml", "--set", "npu.model=rtl",
                                           "--trace", small_trace(folder), "--fidelity", "sampled"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("is its RTL, which executes every command"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace archsim
