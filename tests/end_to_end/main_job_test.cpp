// The main job on a small pi0: what is promised of its answer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/program_run/program.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

TEST(MainJob, TheDefaultFormIsARun) {
  const TemporaryFolder folder;
  const std::string trace = small_trace(folder);
  const Outcome plain = archsim_program({"--config", kEdge, "--trace", trace});
  ASSERT_EQ(plain.status, 0) << plain.err;
  EXPECT_EQ(plain.err, "");
  EXPECT_EQ(plain.out, archsim_program({"run", "--config", kEdge, "--trace", trace}).out);
  for (const char* title :
       {"pi0 on edge_lpddr5", "stages", "engines", "longest operators", "on the CPU", "memory peaks"}) {
    EXPECT_THAT(plain.out, HasSubstr(title));
  }
  std::istringstream lines(plain.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
}

TEST(MainJob, EqualRunsAreByteEqual) {
  const TemporaryFolder folder;
  const std::string trace = small_trace(folder);
  for (const char* out : {"first", "second"}) {
    const Outcome outcome =
        archsim_program({"run", "--config", kEdge, "--trace", trace, "--out", folder.file(out), "--quiet"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out + outcome.err, "");
  }
  for (const char* name : {"/run.json", "/ops.csv"}) {
    const std::string text = text_of_file(folder.file(std::string("first") + name));
    EXPECT_FALSE(text.empty());
    EXPECT_EQ(text, text_of_file(folder.file(std::string("second") + name)));
  }
  const auto meta = Json::parse(text_of_file(folder.file("first/run.meta.json")));
  EXPECT_GT(meta["simulate_wall_s"], 0.0);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.file("first"))) files += entry.is_regular_file();
  EXPECT_EQ(files, 3U) << "no draft is left behind";
}

TEST(MainJob, TheSumsAgree) {
  const TemporaryFolder folder;
  const std::string trace = small_trace(folder);
  const Json run = run_json_of(kEdge, trace);
  const Json info = Json::parse(archsim_program({"trace", "info", trace, "--format", "json"}).out);
  EXPECT_EQ(run["schema"], "archsim.run/1");
  EXPECT_EQ(run["macs"], info["macs"]);
  EXPECT_EQ(run["trace"]["operators"], info["operators"]);
  EXPECT_EQ(run["trace"]["executed_operators"], info["executed_operators"]);
  EXPECT_EQ(run["operators"].size(), info["executed_operators"]);

  double stage_s = 0.0, bound_s = 0.0;
  std::uint64_t stage_macs = 0, stage_bytes = 0, operator_macs = 0, operator_bytes = 0;
  for (const Json& stage : run["stages"]) {
    stage_s += stage["time_s"].get<double>();
    bound_s += stage["bound_s"].get<double>();
    stage_macs += stage["macs"].get<std::uint64_t>();
    stage_bytes += stage["dram_bytes"].get<std::uint64_t>();
  }
  for (const Json& row : run["operators"]) {
    operator_macs += row["macs"].get<std::uint64_t>();
    operator_bytes += row["dram_bytes"].get<std::uint64_t>();
    EXPECT_LE(row["start_s"], row["end_s"]) << row;
    EXPECT_LE(row["end_s"], run["time_s"]) << row;
    EXPECT_LE(row["utilization"], 1.0) << row;
  }
  EXPECT_NEAR(stage_s, run["time_s"], 1e-12);
  EXPECT_NEAR(bound_s, run["roofline"]["bound_s"], 1e-12);
  EXPECT_EQ(stage_macs, run["macs"]);
  EXPECT_EQ(operator_macs, run["macs"]);
  EXPECT_EQ(stage_bytes, operator_bytes);
  EXPECT_EQ(operator_bytes, run["dram_read_bytes"].get<std::uint64_t>() + run["dram_write_bytes"].get<std::uint64_t>());
  EXPECT_LE(run["roofline"]["bound_s"], run["time_s"]);

  const double energy_j = run["ppa"]["energy_j"]["nominal"];
  double stages_j = 0.0, operators_j = 0.0, blocks_j = 0.0;
  for (const auto& stage : run["stages"]) stages_j += stage["energy_j"].get<double>();
  for (const auto& row : run["operators"]) operators_j += row["energy_j"].get<double>();
  for (const auto& [name, part] : run["ppa"]["unattributed_j"].items()) operators_j += part.get<double>();
  for (const auto& [name, block] : run["ppa"]["energy_by_block_j"].items()) {
    blocks_j += block.is_object() ? block["nominal"].get<double>() : block.get<double>();
  }
  EXPECT_NEAR(stages_j, energy_j, 1e-9 * energy_j);
  EXPECT_NEAR(operators_j, energy_j, 1e-9 * energy_j);
  EXPECT_NEAR(blocks_j, energy_j, 1e-9 * energy_j);
  EXPECT_LE(run["ppa"]["average_power_w"]["nominal"], run["ppa"]["peak_power_w"]["nominal"]);
}

TEST(MainJob, EachEnginesSharesSumToTheTime) {
  const TemporaryFolder folder;
  const Json run = run_json_of(kEdge, small_trace(folder));
  std::size_t engines = 0;
  for (const auto& block : run["blocks"].items()) {
    for (const auto& engine : block.value()["engines"].items()) {
      double sum = 0.0;
      for (const auto& share : engine.value().items()) sum += share.value().get<double>();
      EXPECT_NEAR(sum, run["time_s"], 1e-11) << block.key() << "." << engine.key();
      ++engines;
    }
  }
  EXPECT_GE(engines, 4U * 4U /* load, array, vector, store of npu0..3 */ + 8U /* DRAM channels */);
}

TEST(MainJob, TheConfigInTheAnswerGivesTheSameRunAgain) {
  const TemporaryFolder folder;
  const std::string trace = small_trace(folder);
  const Json run = run_json_of(kEdge, trace, {"npu[1].vector_lanes=64"});
  const std::string config = folder.file("again.yaml");
  std::ofstream(config) << run["config"].dump();
  EXPECT_EQ(run_json_of(config, trace), run);
}

TEST(MainJob, WhatTheAcceleratorsLackRunsOnTheCpuAndIsSaid) {
  const TemporaryFolder folder;
  const Json run = run_json_of(kEdge, small_trace(folder));
  std::vector<std::string> names;
  for (const Json& row : run["host_operators"]) {
    names.push_back(row["name"]);
    EXPECT_NE(row["why"], "") << row;
    EXPECT_GT(row["busy_s"], 0.0) << row;
  }
  EXPECT_THAT(names, testing::Contains(HasSubstr("preprocess")));
}

TEST(MainJob, FormatsSayTheSame) {
  const TemporaryFolder folder;
  const std::string trace = small_trace(folder);
  const auto printed = [&](const char* format) {
    return archsim_program({"run", "--config", kEdge, "--trace", trace, "--format", format}).out;
  };
  const Json run = Json::parse(printed("json"));
  EXPECT_EQ(run, run_json_of(kEdge, trace));
  const std::string csv = printed("csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), static_cast<long>(1 + run["operators"].size()));
  EXPECT_THAT(printed("markdown"), HasSubstr("| stage | repeat |"));
}

}  // namespace
}  // namespace archsim
