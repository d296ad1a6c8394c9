#include "traces/show/summary.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/source_dir.h"
#include "traces/generate/generate.h"

namespace archsim {
namespace {

class Summary : public testing::Test {
 protected:
  void SetUp() override {
    const auto trace = build_trace(std::string(ARCHSIM_SOURCE_DIR) + "/traces/workloads/pi0.yaml", {});
    ASSERT_TRUE(trace);
    trace_ = *trace;
    counts_ = count(trace_);
    summary_ = summarize(trace_, counts_);
  }
  Trace trace_;
  TraceCounts counts_;
  TraceSummary summary_;
};

TEST_F(Summary, TypesHoldEveryMacAndOperator) {
  std::uint64_t macs = 0, operators = 0, instances = 0;
  for (const auto& type : summary_.types) {
    macs += type.macs;
    operators += type.operators;
    instances += type.instances;
  }
  EXPECT_EQ(macs, counts_.macs);
  EXPECT_EQ(operators, trace_.operators.size());
  EXPECT_EQ(instances, counts_.executed_operators);
}

TEST_F(Summary, BytesAreThoseOfTheStages) {
  std::uint64_t weights = 0, kv_read = 0;
  for (const auto& stage : counts_.stages) {
    weights += stage.once.weight_bytes * stage.repeat;
    kv_read += stage.once.kv_read_bytes * stage.repeat;
  }
  EXPECT_EQ(summary_.bytes.weight, weights);
  EXPECT_EQ(summary_.bytes.kv_read, kv_read);
}

TEST_F(Summary, TheCacheGrowsByThePrefix) {
  for (std::size_t i = 0; i < counts_.stages.size(); ++i) {
    const bool is_prefill = counts_.stages[i].name == "prefix_prefill";
    // 3 cameras x 256 patches and 48 tokens
    EXPECT_EQ(summary_.kv_growth[i].rows, is_prefill ? 3 * 256 + 48 : 0) << counts_.stages[i].name;
    EXPECT_EQ(summary_.kv_growth[i].bytes, counts_.stages[i].once.kv_write_bytes);
  }
}

TEST_F(Summary, TheLargestStandFirst) {
  ASSERT_EQ(summary_.by_macs.size(), kTop);
  for (std::size_t i = 1; i < kTop; ++i) {
    EXPECT_GE(summary_.by_macs[i - 1].macs, summary_.by_macs[i].macs);
    EXPECT_GE(summary_.by_bytes[i - 1].bytes.all(), summary_.by_bytes[i].bytes.all());
  }
  // 17 of 18 layers of the prefix: the last one's mlp is dead and an operator of its own.
  EXPECT_EQ(summary_.by_macs.front().macs, std::uint64_t{17} * 816 * 2048 * 16384);
}

}  // namespace
}  // namespace archsim
