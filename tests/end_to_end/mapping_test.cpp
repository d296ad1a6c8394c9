// What a user decides about the mapping, and what a run tells of it.
#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "arch/describe/table.h"
#include "arch/machine/soc_spec.h"
#include "tests/program_run/program.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

class MappingOptionsOfARun : public testing::Test {
 protected:
  Json run(const std::vector<std::string>& settings = {}) { return run_json_of(kEdge, trace_, settings); }

  static std::uint64_t sum(const Json& run, const char* key) {
    std::uint64_t total = 0;
    for (const auto& row : run["coverage"]) total += row[key].get<std::uint64_t>();
    return total;
  }
  static std::uint64_t moved_bytes(const Json& run) {
    std::uint64_t bytes = 0;
    for (const auto& block : run["blocks"]) {
      if (block["kind"] != "accel") continue;
      for (const char* stat : {"load_bytes", "store_bytes"}) bytes += block["stats"][stat].get<std::uint64_t>();
    }
    return bytes;
  }
  static bool has_pass(const Json& run, const std::string& pass) {
    return std::any_of(run["coverage"].begin(), run["coverage"].end(),
                       [&](const Json& row) { return row["why"] == pass; });
  }

  TemporaryFolder folder_;
  std::string trace_ = small_trace(folder_);
};

TEST_F(MappingOptionsOfARun, EachFusionCanBeSwitchedOff) {
  const Json fused = run();
  for (const auto& [path, entry] : mapping_params().leaves()) {
    if (path.rfind("fuse.", 0) != 0) continue;
    const std::string pass = path.substr(5);
    const Json without = run({"mapping." + path + "=false"});
    EXPECT_FALSE(has_pass(without, pass)) << pass;
    EXPECT_EQ(without["config"]["mapping"]["fuse"][pass], false);
    if (has_pass(fused, pass)) {
      EXPECT_GT(moved_bytes(without), moved_bytes(fused)) << pass;
    }
  }
  EXPECT_TRUE(has_pass(fused, "linear_glu"));
  EXPECT_TRUE(has_pass(fused, "linear_residual"));
  EXPECT_TRUE(has_pass(fused, "attention_rope"));
}

TEST_F(MappingOptionsOfARun, LaunchesCostWhatTheHostTakesForThem) {
  const Json graph = run(), queue = run({"mapping.launch=command_queue"}), driven = run({"mapping.launch=host_driven"});
  EXPECT_LT(graph["time_s"], queue["time_s"]);
  EXPECT_LT(queue["time_s"], driven["time_s"]);
  const auto& stats = driven["blocks"]["cpu"]["stats"];
  EXPECT_EQ(stats["launches"], sum(driven, "launches"));
  EXPECT_EQ(graph["blocks"]["cpu"]["stats"]["launches"], sum(graph, "launches"));
  EXPECT_EQ(queue["blocks"]["cpu"]["stats"]["launches"], stats["launches"]);
  EXPECT_GT(sum(driven, "launches"), sum(graph, "launches"));
  // Each kernel but those behind a host operation is awaited with an interrupt of 6 us and launched in 2 us.
  const double kernels = static_cast<double>(sum(driven, "launches") - sum(graph, "launches"));
  EXPECT_GT(driven["time_s"].get<double>() - graph["time_s"].get<double>(), 0.8 * kernels * 8e-6);
}

TEST_F(MappingOptionsOfARun, CoverageTellsWhatDecides) {
  const auto row_of = [](const Json& run, const std::string& op) {
    for (const auto& row : run["coverage"]) {
      if (row["op"] == op) return row;
    }
    return Json();
  };
  const Json all = run(), without = run({"npu.vector_lanes=0", "cpu.maintenance_cycles=20"});
  EXPECT_EQ(row_of(all, "rmsnorm")["engine"], "vector");
  EXPECT_EQ(row_of(all, "rmsnorm")["decided_by"], "vector_cycles.rmsnorm");
  EXPECT_EQ(row_of(all, "linear")["engine"], "array");
  EXPECT_EQ(row_of(without, "rmsnorm")["engine"], "host");
  EXPECT_EQ(row_of(without, "rmsnorm")["decided_by"], "vector_lanes");
  EXPECT_GT(row_of(without, "rmsnorm")["host_bytes"], 0);
  EXPECT_GT(row_of(without, "rmsnorm")["host_maintenance_s"], 0.0);
  EXPECT_EQ(row_of(without, "rmsnorm")["launches"], row_of(without, "rmsnorm")["instances"]);
  EXPECT_GT(without["blocks"]["cpu"]["stats"]["maintained"], 0);
  EXPECT_GT(without["time_s"], all["time_s"]);
  std::uint64_t instances = 0;
  for (const auto& row : without["coverage"]) instances += row["instances"].get<std::uint64_t>();
  EXPECT_EQ(instances, without["trace"]["executed_operators"]);
  const Outcome table = archsim_program({"run", "--config", kEdge, "--trace", trace_, "--coverage"});
  EXPECT_THAT(table.out, HasSubstr("coverage: what runs where"));
  EXPECT_THAT(table.out, HasSubstr("vector_cycles.rmsnorm"));
}

TEST_F(MappingOptionsOfARun, AHostOperationMayOutlastTheWatchdog) {
  const Outcome outcome = archsim_program({"run", "--config", kEdge, "--trace", trace_, "--quiet", "--watchdog", "1 ms",
                                           "--set", "cpu.fork_join=3 ms", "--set", "npu.vector_lanes=0"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST_F(MappingOptionsOfARun, PeaksOfEveryMemoryAreToldAndWhatL2HadNoRoomFor) {
  const Json large = run(), small = run({"l2.capacity=64 KiB"});
  std::vector<std::string> memories;
  for (const auto& row : large["memory"]) {
    memories.push_back(row["memory"]);
    EXPECT_LE(row["used_bytes"], row["capacity_bytes"]);
  }
  EXPECT_THAT(memories, testing::IsSupersetOf({"dram", "l2", "npu0.scratchpad", "npu3.accumulator"}));
  EXPECT_TRUE(large["spills"].empty());
  ASSERT_FALSE(small["spills"].empty());
  EXPECT_GT(small["spills"][0]["traffic_bytes"], 0);
  EXPECT_GT(small["dram_write_bytes"], large["dram_write_bytes"]);
}

class MappingFile : public MappingOptionsOfARun {
 protected:
  Outcome run_with(const std::string& text, const std::vector<std::string>& more = {}) {
    std::ofstream(folder_.file("in.yaml")) << text;
    std::vector<std::string> words{"run",  "--config", kEdge,           "--trace",
                                   trace_, "--quiet",  "--use-mapping", folder_.file("in.yaml")};
    words.insert(words.end(), more.begin(), more.end());
    return archsim_program(words);
  }
  std::string written(const std::string& name) const { return text_of_file(folder_.file(name)); }
};

TEST_F(MappingFile, ReadBackGivesTheSameRunAndTheSameFile) {
  ASSERT_EQ(archsim_program({"run", "--config", kEdge, "--trace", trace_, "--quiet", "--json", folder_.file("a.json"),
                             "--mapping", folder_.file("a.yaml")})
                .status,
            0);
  const Outcome again =
      run_with(written("a.yaml"), {"--json", folder_.file("b.json"), "--mapping", folder_.file("b.yaml")});
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(written("a.json"), written("b.json"));
  EXPECT_EQ(written("a.yaml"), written("b.yaml"));
  EXPECT_THAT(written("a.yaml"), HasSubstr("dataflow: "));
}

TEST_F(MappingFile, APartOfOneChangesWhatItNamesAndNothingElseByItself) {
  const std::string part =
      "operators:\n  flow_step.layer.mlp.down:\n    split: {m: 1, n: 1}\n    dataflow: weight_stationary\n    with: "
      "[]\n";
  const Outcome outcome = run_with(part, {"--json", folder_.file("b.json"), "--mapping", folder_.file("b.yaml")});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::string file = written("b.yaml");
  const auto at = file.find("  flow_step.layer.mlp.down:\n");
  ASSERT_NE(at, std::string::npos);
  const std::string entry = file.substr(at, 240);
  EXPECT_THAT(entry, HasSubstr("with: []"));
  EXPECT_THAT(entry, HasSubstr("split: {m: 1, n: 1}"));
  EXPECT_THAT(entry, HasSubstr("dataflow: weight_stationary"));
  // One array of four, and a sum that is not fused any more.
  EXPECT_GT(Json::parse(written("b.json"))["time_s"], run()["time_s"]);
}

TEST_F(MappingFile, AnOperatorCanBeSentToTheHost) {
  const Outcome outcome =
      run_with("operators: {flow_step.layer.mlp.norm: {on: host}}\n", {"--json", folder_.file("b.json")});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json told = Json::parse(written("b.json"));
  EXPECT_TRUE(has_pass(told, "the mapping file says so"));
}

TEST_F(MappingFile, AllMistakesAreToldAtOnceInTheUsersLines) {
  const Outcome outcome = run_with(
      "mapping: pi1\narena: 100 B\nbatched: [nowhere]\noperators:\n  flow_step.layer.mlp.dwn: {}\n"
      "  flow_step.layer.mlp.down:\n    tile: {m: 0, q: 3}\n    split: {m: 4, n: 4}\n    dataflow: input_stationary\n");
  EXPECT_EQ(outcome.status, 2);
  for (const char* text : {"in.yaml:1:10", "in.yaml:2:8", "in.yaml:3:11", "in.yaml:5:3", "in.yaml:7:15", "in.yaml:7:18",
                           "in.yaml:8:12", "in.yaml:9:15", "did you mean `flow_step.layer.mlp.down`?"})
    EXPECT_THAT(outcome.err, HasSubstr(text));
}

TEST_F(MappingFile, WhatDoesNotFitIsToldWithItsNumbers) {
  const Outcome outcome = run_with(
      "operators:\n  flow_step.layer.mlp.down: {tile: {n: 5}}\n  flow_step.layer.mlp.gate: {tile: {k: 7}}\n"
      "  flow_step.layer.attention: {tile: {keys: 100000}}\n");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("a tile of 5 columns is no multiple of the array's 64"));
  EXPECT_THAT(outcome.err, HasSubstr("a tile of 7 along k is no multiple of 64"));
  EXPECT_THAT(outcome.err, HasSubstr("a tile of 100000 keys is more than the"));
  for (const char* text : {"in.yaml:2:3", "in.yaml:3:3", "in.yaml:4:3"}) EXPECT_THAT(outcome.err, HasSubstr(text));
}

TEST_F(MappingFile, ASocFileInItsPlaceIsToldOnce) {
  const Outcome outcome = run_with("soc: edge\nclocks: {npu: 1 GHz}\nblocks: {}\n");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("this is a SoC file"));
  EXPECT_THAT(outcome.err, HasSubstr("in.yaml:3:1"));
  EXPECT_EQ(outcome.err.find("no key"), std::string::npos);
}

TEST_F(MappingFile, ExplainListsCandidatesAndWhyTheyLost) {
  const auto explain = [&](const std::string& name) {
    return archsim_program({"explain", "--config", kEdge, "--trace", trace_, "--operator", name});
  };
  const Outcome product = explain("flow_step.layer.mlp.down");
  EXPECT_EQ(product.status, 0) << product.err;
  for (const char* text : {"chosen", "compute", "load", "store", "vector", "overhead", "cycles more", "dtypes.int8"})
    EXPECT_THAT(product.out, HasSubstr(text));
  EXPECT_THAT(explain("flow_step.layer.attention").out, HasSubstr("tiles queries"));
  EXPECT_THAT(explain("preprocess.prompt").out, HasSubstr("the host `cpu`"));
  const Outcome unknown = explain("flow_step.layer.mlp.dwn");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean `flow_step.layer.mlp.down`?"));
}

}  // namespace
}  // namespace archsim
