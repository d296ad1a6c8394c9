// `archsim sweep show`, `compare` and `sensitivity`, `archsim pareto`, and the documented schema of the results, as a user has them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sweep/analyse/pareto.h"
#include "tests/program_run/program.h"
#include "tests/source_dir.h"

namespace archsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of_csv(const std::string& text) {
  Rows rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

class Analysis : public testing::Test {
 protected:
  void SetUp() override { sweep("results", "1 GHz", "[16, 32, 64]"); }
  void sweep(const std::string& name, const std::string& clock, const std::string& rows) {
    std::ofstream(folder_.file(name + ".yaml"))
        << "sweep: machines\nsoc: configs/soc/edge_lpddr5.yaml\nset: {tech: n7, clocks.npu: " + clock +
               "}\nfidelity: roofline\n"
               "workload: {file: traces/workloads/tiny.yaml, set: {width: 512, mlp: 2048, tokens: 256, layers: 1, "
               "steps: 1}}\naxes:\n  dram.channels: [4, 8]\n  npu.rows: "
        << rows
        << "\n  npu.cols: [16, 32]\nconstraints: [peak_macs_per_s >= 2e12]\nobjectives: [latency, energy, area]\n";
    const auto outcome = archsim_program({"sweep", folder_.file(name + ".yaml"), "-o", folder_.file(name)});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
  }
  Outcome run(std::vector<std::string> words) {
    for (auto& word : words) {
      if (word == "results" || word == "faster") word = folder_.file(word);
    }
    return archsim_program(words);
  }
  std::string out(const std::vector<std::string>& words) {
    const auto outcome = run(words);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  }
  Results results(const std::string& name = "results") { return *read_results(folder_.file(name)); }
  TemporaryFolder folder_;
};

TEST_F(Analysis, ShowListsTheBestFirstInEveryFormat) {
  const auto all = results();
  ASSERT_EQ(all.rows.size(), 12U);
  const auto rows = rows_of_csv(out({"sweep", "show", "results", "--format", "csv", "--top", "0"}));
  ASSERT_EQ(rows.size(), 13U);
  EXPECT_THAT(rows[0], ElementsAre("id", "dram.channels", "npu.rows", "npu.cols", "latency", "energy", "area",
                                   "peak_macs_per_s", "status", "error"));
  double before = 0.0;
  std::size_t done = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const ResultRow& row = all.rows[std::stoul(rows[i][0]) - 1];
    EXPECT_EQ(rows[i][2], row.axes[1]);
    EXPECT_NEAR(std::stod(rows[i][4]) / row.metrics[0], 1.0, 1e-5);
    EXPECT_EQ(rows[i][8], row.status);
    if (row.status == "done") {
      EXPECT_EQ(++done, i) << "those that break a constraint stand behind";
      EXPECT_GE(row.metrics[0], before);
      before = row.metrics[0];
    }
  }
  EXPECT_EQ(done, 10U) << "four arrays of 16x16 do 1.024e12 a second, all others more than 2e12";
  const auto json = nlohmann::json::parse(out(
      {"sweep", "show", "results", "--format", "json", "--where", "npu.rows = 64 and latency < 1 s", "--top", "3"}));
  EXPECT_EQ(json["schema"], "archsim.sweep/1");
  ASSERT_EQ(json["points"].size(), 3U);
  for (const auto& point : json["points"]) {
    EXPECT_EQ(point["npu.rows"], "64");
    EXPECT_EQ(point["fidelity"], "roofline");
  }
  EXPECT_THAT(out({"sweep", "show", "results", "--format", "markdown", "--top", "1"}), HasSubstr("| id"));
  const auto wrong = run({"sweep", "show", "results", "--where", "npu.row = 64"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean `npu.rows`?"));
  EXPECT_EQ(run({"sweep", "show", "/nowhere"}).status, 2);
}

TEST_F(Analysis, CompareTellsHowEqualPointsDiffer) {
  sweep("faster", "2 GHz", "[32, 64, 128]");
  const auto older = results(), newer = results("faster");
  double least = 1e9, most = -1e9, sum = 0.0;
  int common = 0;
  for (const auto& a : older.rows) {
    for (const auto& b : newer.rows) {
      if (a.axes != b.axes) continue;
      const double change = b.metrics[0] / a.metrics[0] - 1.0;
      least = std::min(least, change);
      most = std::max(most, change);
      sum += change;
      ++common;
    }
  }
  ASSERT_EQ(common, 8);
  const auto text = out({"sweep", "compare", "results", "faster"});
  EXPECT_THAT(text, HasSubstr("4 points in the first only, 4 in the second only"));
  std::istringstream line(text.substr(text.find("\n", text.find("mean change")) + 1));
  std::string metric, count, mean, percent1, low, percent2, high;
  line >> metric >> count >> mean >> percent1 >> low >> percent2 >> high;
  EXPECT_EQ(metric, "latency");
  EXPECT_EQ(count, "8");
  EXPECT_NEAR(std::stod(mean), 100.0 * sum / common, 0.006);
  EXPECT_NEAR(std::stod(low), 100.0 * least, 0.006);
  EXPECT_NEAR(std::stod(high), 100.0 * most, 0.006);
  EXPECT_LE(most, 0.0) << "twice the clock is not slower";
  EXPECT_LT(least, -0.3) << "where the arrays decide";
  EXPECT_THAT(out({"sweep", "compare", "results", "results"}),
              HasSubstr("0 points in the first only, 0 in the second"));
}

TEST_F(Analysis, ParetoListsTheFrontItsKneeAndItsVolume) {
  const auto all = results();
  const auto found = pareto(all, "");
  const auto rows = rows_of_csv(out({"pareto", "results", "--format", "csv"}));
  ASSERT_EQ(rows.size(), found->rows.size() + 1);
  for (std::size_t i = 0; i < found->rows.size(); ++i)
    EXPECT_EQ(rows[i + 1][0], std::to_string(all.rows[found->rows[i]].id));
  std::vector<Goals> feasible;
  for (const auto& row : all.rows) {
    if (row.status == "done") feasible.push_back({row.metrics[0], row.metrics[1], row.metrics[2]});
  }
  EXPECT_EQ(front_of(feasible).size(), found->rows.size());
  const auto text = out({"pareto", "results"});
  EXPECT_THAT(text, HasSubstr(std::to_string(found->rows.size()) + " of 10 feasible points, 12 in all"));
  ASSERT_TRUE(found->knee);
  EXPECT_THAT(text, HasSubstr("point " + std::to_string(all.rows[found->rows[*found->knee]].id)));
  EXPECT_GT(found->hypervolume, 0.0);
  EXPECT_LT(found->hypervolume, 1.0);
  const auto slowest = rows_of_csv(out({"pareto", "results", "--objectives", "max:latency", "--format", "csv"}));
  ASSERT_GE(slowest.size(), 2U);
  for (std::size_t i = 1; i < slowest.size(); ++i) {
    for (const auto& goals : feasible) EXPECT_LE(goals[0], std::stod(slowest[i][4]) * (1.0 + 1e-5));
  }
  const auto wrong = run({"pareto", "results", "--objectives", "latency,enrgy"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean `energy`?"));
}

TEST_F(Analysis, SensitivityRanksAxes) {
  const auto json = nlohmann::json::parse(out({"sweep", "sensitivity", "results", "--format", "json"}));
  EXPECT_EQ(json["schema"], "archsim.sensitivity/1");
  ASSERT_EQ(json["metrics"].size(), 4U);
  const auto& area = json["metrics"][2];
  EXPECT_EQ(area["metric"], "area");
  EXPECT_EQ(area["points"], 12);
  EXPECT_EQ(area["is_whole_grid"], true);
  double first = 0.0, total = 0.0;
  for (const auto& axis : area["axes"]) {
    first += axis["first_order"].get<double>();
    total += axis["total_effect"].get<double>();
    EXPECT_GE(axis["mean"].get<double>(), 0.0) << "more of anything is larger";
  }
  EXPECT_LE(first, 1.0 + 1e-12);
  EXPECT_GE(total, 1.0 - 1e-12);
  EXPECT_THAT(out({"sweep", "sensitivity", "results", "--metric", "latency"}), HasSubstr("what decides latency"));
  const auto wrong = run({"sweep", "sensitivity", "results", "--metric", "latencies"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean `latency`?"));
}

std::string output_of(const std::string& command, int& status) {
  std::FILE* pipe = ::popen(command.c_str(), "r");
  std::string text;
  std::array<char, 4096> buffer{};
  while (const auto got = std::fread(buffer.data(), 1, buffer.size(), pipe)) text.append(buffer.data(), got);
  const int state = ::pclose(pipe);
  status = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
  return text;
}

std::vector<std::string> blocks_of(const std::string& text, const std::string& language) {
  std::vector<std::string> blocks;
  const std::string mark = "```" + language + "\n";
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
    const auto begin = at + mark.size();
    blocks.push_back(text.substr(begin, text.find("```", begin) - begin));
  }
  return blocks;
}

TEST_F(Analysis, TheDocumentedExamplesOfTheSchemaRun) {
  const std::string page = text_of_file(std::string(ARCHSIM_SOURCE_DIR) + "/docs/schema/sweep.md");
  const auto queries = blocks_of(page, "sql");
  ASSERT_EQ(queries.size(), 3U);
  std::vector<std::string> answers;
  for (const auto& query : queries) {
    std::ofstream(folder_.file("query.sql")) << query;
    int status = 0;
    answers.push_back(output_of(
        "sqlite3 " + folder_.file("results") + "/sweep.sqlite < " + folder_.file("query.sql") + " 2>&1", status));
    EXPECT_EQ(status, 0) << query << answers.back();
  }
  EXPECT_THAT(answers[0], HasSubstr("done|roofline|10"));
  EXPECT_THAT(answers[0], HasSubstr("infeasible|roofline|2"));
  const auto front = pareto(results(), "latency,area");
  EXPECT_EQ(static_cast<std::size_t>(std::count(answers[1].begin(), answers[1].end(), '\n')), front->rows.size());
  EXPECT_EQ(answers[2], "");
  for (const auto& script : blocks_of(page, "sh")) {
    std::ofstream(folder_.file("plot.sh")) << script;
    int status = 0;
    const auto said = output_of("cd " + folder_.file("") + " && sh -e plot.sh 2>&1", status);
    EXPECT_EQ(status, 0) << said;
    EXPECT_GT(std::filesystem::file_size(folder_.file("points.svg")), 1000U);
  }
}

}  // namespace
}  // namespace archsim
