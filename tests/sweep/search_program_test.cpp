// `archsim sweep` with strategies and fidelities that choose points by results, as a user runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "sweep/analyse/pareto.h"
#include "tests/program_run/program.h"

namespace archsim {
namespace {

using testing::HasSubstr;

constexpr auto kAxes =
    "axes:\n  dram.channels: [4, 16]\n  npu.rows: [8, 16, 32, 64, 128]\n  npu.cols: [8, 16, 32, 64, 128]\n"
    "objectives: [latency, energy, area]\n";

class Searches : public testing::Test {
 protected:
  Outcome sweep(const std::string& folder, const std::string& rest, std::vector<std::string> more = {},
                const std::string& axes = kAxes) {
    const std::string path = folder_.file(folder + ".yaml");
    std::ofstream(path) << "sweep: test\nsoc: configs/soc/edge_lpddr5.yaml\nset: {tech: n7}\n"
                           "workload: {file: traces/workloads/tiny.yaml, set: {width: 512, mlp: 2048, tokens: 256, "
                           "layers: 1, steps: 1}}\n"
                        << axes << rest;
    std::vector<std::string> words{"sweep", path, "-o", folder_.file(folder)};
    words.insert(words.end(), more.begin(), more.end());
    return archsim_program(words);
  }
  Results results(const std::string& folder) {
    const auto results = read_results(folder_.file(folder));
    EXPECT_TRUE(results) << render(results.diagnostics());
    return results ? *results : Results{};
  }
  /// The axes of the front's points, and their objectives.
  std::map<std::vector<std::string>, std::vector<double>> front(const std::string& folder) {
    const auto all = results(folder);
    const auto found = pareto(all, "");
    std::map<std::vector<std::string>, std::vector<double>> front;
    for (const auto row : found->rows) front[all.rows[row].axes] = all.rows[row].metrics;
    return front;
  }
  std::string csv(const std::string& folder) {
    return archsim_program({"sweep", "show", folder_.file(folder), "--format", "csv", "--top", "0"}).out;
  }
  TemporaryFolder folder_;
};

TEST_F(Searches, TheRefinedFrontIsTheFrontOfAllSimulations) {
  ASSERT_EQ(sweep("full", "fidelity: full\n").status, 0);
  const auto outcome = sweep("refined", "fidelity: refine\n");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(front("refined"), front("full"));
  std::map<std::string, int> rows;
  for (const auto& row : results("refined").rows) ++rows[row.status + " " + row.fidelity];
  EXPECT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows["done full"] + rows["bounded roofline"], 50);
  EXPECT_GT(rows["bounded roofline"], 5);
  EXPECT_THAT(outcome.out,
              HasSubstr(std::to_string(rows["bounded roofline"]) + " whose bounds a simulated point beats"));
}

TEST_F(Searches, ARefinedSweepGoesOnWhereItWasStoppedAndAfterMoreValues) {
  ASSERT_EQ(sweep("whole", "fidelity: refine\n").status, 0);
  const std::string fewer =
      "axes:\n  dram.channels: [4, 16]\n  npu.rows: [8, 64, 128]\n  npu.cols: [8, 16, 32, 64, 128]\n"
      "objectives: [latency, energy, area]\n";
  ASSERT_EQ(sweep("part", "fidelity: refine\n", {}, fewer).status, 0);
  const auto again = sweep("part", "fidelity: refine\n", {"--resume"});
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_THAT(again.out, testing::Not(HasSubstr(" 0 kept from before")));
  EXPECT_EQ(front("part"), front("whole"));
  const auto once_more = sweep("part", "fidelity: refine\n", {"--resume"});
  EXPECT_THAT(once_more.out, HasSubstr("0 run,"));
  EXPECT_EQ(front("part"), front("whole"));
}

constexpr auto kSearch = "fidelity: roofline\nstrategy: {name: nsga2, population: 12, generations: 8}\n";

TEST_F(Searches, JobsDoNotChangeWhatASearchFinds) {
  ASSERT_EQ(sweep("one", kSearch, {"--jobs", "1"}).status, 0);
  ASSERT_EQ(sweep("three", kSearch, {"--jobs", "3"}).status, 0);
  EXPECT_EQ(csv("one"), csv("three"));
  ASSERT_EQ(sweep("seed", std::string(kSearch) + "seed: 2\n").status, 0);
  EXPECT_NE(csv("one"), csv("seed"));
}

TEST_F(Searches, ASearchGoesOnWithMoreGenerations) {
  const std::string shorter = "fidelity: roofline\nstrategy: {name: nsga2, population: 12, generations: 3}\n";
  ASSERT_EQ(sweep("grown", shorter).status, 0);
  const auto first = results("grown").rows.size();
  const auto again = sweep("grown", kSearch, {"--resume"});
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr(" " + std::to_string(first) + " kept from before"));
  ASSERT_EQ(sweep("straight", kSearch).status, 0);
  EXPECT_EQ(csv("grown"), csv("straight"));
}

TEST_F(Searches, ADryRunShowsTheFirstGeneration) {
  const auto dry = sweep("dry", kSearch, {"--dry-run"});
  ASSERT_EQ(dry.status, 0) << dry.err;
  EXPECT_THAT(dry.out, HasSubstr("at most 108 by strategy nsga2"));
  EXPECT_FALSE(std::filesystem::exists(folder_.file("dry")));
  ASSERT_EQ(sweep("real", kSearch).status, 0);
  std::string cells;
  for (const auto& row : results("real").rows) {
    if (row.id == 1) cells = row.axes[0] + " +" + row.axes[1] + " +" + row.axes[2];
  }
  EXPECT_THAT(dry.out, testing::ContainsRegex(cells));
}

}  // namespace
}  // namespace archsim
