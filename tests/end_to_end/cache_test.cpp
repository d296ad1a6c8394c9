// A shared cache before the DRAM in a whole run: bytes at every hop, the bound, and what larger caches save.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/program_run/program.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

class CacheRun : public testing::Test {
 protected:
  Json run(std::vector<std::string> settings = {}) {
    settings.insert(settings.begin(), "l2.mode=cache");
    return run_json_of(kEdge, trace_, settings);
  }
  static std::uint64_t stat(const Json& run, const char* block, const char* name) {
    return run["blocks"][block]["stats"][name];
  }
  /// Bytes at the DRAM are those of fetches and displaced lines, whoever caused them.
  static void expect_bytes_conserved(const Json& run, std::uint64_t line) {
    const Json& l2 = run["blocks"]["dram"]["initiators"]["l2"];
    EXPECT_EQ(run["dram_read_bytes"], l2["read_bytes"]);
    EXPECT_EQ(run["dram_write_bytes"], l2["written_bytes"]);
    EXPECT_EQ(run["blocks"]["dram"]["initiators"].size(), 1u);
    EXPECT_EQ(run["dram_write_bytes"], stat(run, "l2", "writebacks") * line);
    EXPECT_LE(run["dram_read_bytes"], stat(run, "l2", "misses") * line);
    std::uint64_t operators = 0, from = 0;
    for (const Json& op : run["operators"]) operators += op["dram_bytes"].get<std::uint64_t>();
    EXPECT_EQ(operators, run["dram_read_bytes"].get<std::uint64_t>() + run["dram_write_bytes"].get<std::uint64_t>());
    for (const Json& initiator : run["blocks"]["l2"]["initiators"]) {
      from += initiator["read_bytes"].get<std::uint64_t>() + initiator["written_bytes"].get<std::uint64_t>();
    }
    EXPECT_EQ(from, stat(run, "l2", "read_bytes") + stat(run, "l2", "written_bytes"));
    EXPECT_LE(run["roofline"]["bound_s"], run["time_s"]);
  }

  TemporaryFolder folder_;
  std::string trace_ = small_trace(folder_);
};

TEST_F(CacheRun, BytesAreConservedWhereverSlicesStand) {
  expect_bytes_conserved(run(), 128);
  expect_bytes_conserved(run({"l2.interleave=512 B", "l2.cache.line=64 B"}), 64);
  expect_bytes_conserved(run({"l2.slices=2", "placement=auto"}), 128);
}

TEST_F(CacheRun, WhatIsWrittenThroughReachesTheDram) {
  const Json through = run({"l2.cache.write=write_through"});
  EXPECT_EQ(through["dram_write_bytes"], stat(through, "l2", "written_bytes"));
  EXPECT_EQ(stat(through, "l2", "writebacks"), 0u);
}

TEST_F(CacheRun, ALargerCacheFetchesLess) {
  const Json small = run({"l2.capacity=1 MiB"}), large = run({"l2.capacity=64 MiB"});
  EXPECT_LT(large["dram_read_bytes"], small["dram_read_bytes"]);
  EXPECT_LT(large["time_s"], small["time_s"]);
  // Each weight once, but of the embedding table only the prompt's rows.
  const double weights = large["trace"]["weight_bytes"].get<double>() - 257152.0 * 2048;
  EXPECT_GE(large["dram_read_bytes"].get<double>(), weights);
  EXPECT_LE(large["dram_read_bytes"].get<double>(), 1.1 * weights);
}

TEST_F(CacheRun, FewMshrsStarveTheArrays) {
  const Json few = run({"l2.cache.mshrs=1"}), many = run();
  EXPECT_GT(few["time_s"].get<double>(), 2 * many["time_s"].get<double>());
  EXPECT_GT(stat(few, "l2", "mshr_waits"), stat(many, "l2", "mshr_waits"));
}

}  // namespace
}  // namespace archsim
