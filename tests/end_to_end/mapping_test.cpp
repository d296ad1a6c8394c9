// What a user decides about the mapping, and what a run tells of it.
#include <gmock/gmock.h>

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
      EXPECT_GT(without["time_s"], fused["time_s"]) << pass;
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

}  // namespace
}  // namespace archsim
