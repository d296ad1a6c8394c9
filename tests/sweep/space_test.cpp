// Which points a sweep file makes, and in which order strategies try them.
#include "sweep/space/space.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "sweep/sample/source.h"
#include "tests/sweep/plan_text.h"

namespace archsim {
namespace {

using testing::ElementsAre;

std::vector<std::string> rows_of(const Plan& plan) {
  const Space space(plan);
  std::vector<std::string> rows;
  const auto source = make_source(space);
  while (const auto point = source->next()) {
    std::string row;
    for (const auto& text : space.texts(*point)) row += (row.empty() ? "" : " ") + text.value_or("-");
    rows.push_back(row);
  }
  return rows;
}

std::vector<std::string> values_of(const std::string& axis) { return rows_of(plan_of("axes:\n  " + axis + "\n")); }

TEST(Ranges, AreWhatTheySay) {
  EXPECT_THAT(values_of("npu.rows: {from: 8, to: 70, factor: 2}"), ElementsAre("8", "16", "32", "64"));
  EXPECT_THAT(values_of("npu.rows: {from: 8, to: 20, step: 6}"), ElementsAre("8", "14", "20"));
  EXPECT_THAT(values_of("npu.rows: {from: 16, to: 256, count: 5, scale: log}"),
              ElementsAre("16", "32", "64", "128", "256"));
  EXPECT_THAT(values_of("npu.rows: {from: 1, to: 3, count: 9}"), ElementsAre("1", "2", "3"))
      << "whole numbers once each";
  EXPECT_THAT(values_of("clocks.npu: {from: 0.8 GHz, to: 1.2 GHz, step: 200 MHz}"),
              ElementsAre("0.8 GHz", "1 GHz", "1.2 GHz"));
  EXPECT_THAT(values_of("l2.capacity: {from: 512 KiB, to: 2 MiB, factor: 2}"),
              ElementsAre("512 KiB", "1024 KiB", "2048 KiB"));
  EXPECT_THAT(values_of("npu.rows: {from: 32, to: 32, count: 1}"), ElementsAre("32"));
}

TEST(Axes, LinkedPathsMoveTogether) {
  EXPECT_THAT(values_of("npu.rows, npu.cols: [32, [64, 16]]"), ElementsAre("32 32", "64 16"));
  EXPECT_THAT(rows_of(plan_of("axes:\n  npu.rows: [32, 64]\n  npu.cols: {follows: npu.rows * 2}\n"
                              "  npu.accumulator: {follows: npu.rows * 4, unit: KiB}\n")),
              ElementsAre("32 64 128 KiB", "64 128 256 KiB"));
}

TEST(Axes, ConditionsLeaveNoValueAndNoPointTwice) {
  EXPECT_THAT(rows_of(plan_of("axes:\n  npu.rows: [32, 64]\n  l2.banks: {values: [4, 8], when: npu.rows > 32}\n")),
              ElementsAre("32 -", "64 4", "64 8"));
}

TEST(Axes, ConstraintsOfAxesLeaveOutPoints) {
  EXPECT_THAT(rows_of(plan_of("axes:\n  npu.rows: [32, 64]\n  npu.cols: [32, 64]\n"
                              "constraints: [npu.rows * npu.cols <= 2048]\n")),
              ElementsAre("32 32", "32 64", "64 32"));
}

TEST(Space, AVariantSetsWhatThePointSays) {
  const Plan plan = plan_of("set: {npu.cols: 16}\naxes:\n  npu.rows: [32]\n  recipe: [w4a16]\n  workload.steps: [5]\n",
                            "workload: traces/workloads/pi0.yaml\n");
  const Space space(plan);
  const Variant variant = space.variant(*space.settled(space.at(0)));
  EXPECT_EQ(variant.text(), "npu.cols=16\nnpu.rows=32\nworkload.steps=5\nrecipe=w4a16\n");
}

Plan sampled(const std::string& strategy, int seed, int samples = 64) {
  return plan_of("axes:\n  npu.rows: {from: 1, to: 64, step: 1}\n  npu.cols: {from: 1, to: 64, step: 1}\nstrategy: " +
                 strategy + "\nsamples: " + std::to_string(samples) + "\nseed: " + std::to_string(seed) + "\n");
}

TEST(Strategies, SamplesDependOnTheSeedAlone) {
  for (const std::string strategy : {"random", "latin_hypercube", "sobol"}) {
    EXPECT_EQ(rows_of(sampled(strategy, 1)), rows_of(sampled(strategy, 1))) << strategy;
    EXPECT_NE(rows_of(sampled(strategy, 1)), rows_of(sampled(strategy, 2))) << strategy;
    EXPECT_EQ(rows_of(sampled(strategy, 3)).size(), 64U) << strategy;
  }
}

TEST(Strategies, ALatinHypercubeUsesEachPartOfEachAxisOnce) {
  std::set<std::uint32_t> rows, columns;
  const Plan plan = sampled("latin_hypercube", 7);
  const Space space(plan);
  for (const auto source = make_source(space); const auto point = source->next();) {
    rows.insert((*point)[0]);
    columns.insert((*point)[1]);
  }
  EXPECT_EQ(rows.size(), 64U);
  EXPECT_EQ(columns.size(), 64U);
}

TEST(Strategies, SobolFillsEveryQuarterAlike) {
  std::map<std::pair<bool, bool>, int> quarters;
  const Plan plan = sampled("sobol", 5);
  const Space space(plan);
  for (const auto source = make_source(space); const auto point = source->next();) {
    ++quarters[{(*point)[0] < 32, (*point)[1] < 32}];
  }
  ASSERT_EQ(quarters.size(), 4U);
  for (const auto& quarter : quarters) EXPECT_NEAR(quarter.second, 16, 3);
}

}  // namespace
}  // namespace archsim
