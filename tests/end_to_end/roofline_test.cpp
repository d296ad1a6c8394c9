// `archsim roofline` beside a run of the same trace: the work is the same, and the run moves no fewer bytes.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/program_run/program.h"

namespace archsim {
namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream words(line);
  for (std::string cell; std::getline(words, cell, '|');) {
    const auto first = cell.find_first_not_of(' ');
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
  }
  return cells;
}

TEST(Roofline, HasTheMacsOfTheRunAndNoMoreBytes) {
  const TemporaryFolder folder;
  const std::string trace = small_trace(folder);
  const auto run = run_json_of(kEdge, trace);
  const Outcome outcome = archsim_program({"roofline", "--config", kEdge, "--trace", trace, "--format", "markdown"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  std::istringstream lines(outcome.out);
  std::size_t found = 0;
  bool among_stages = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("###")) among_stages = line.starts_with("### stages");
    const auto cells = cells_of(line);
    for (const auto& stage : run["stages"]) {
      if (!among_stages || cells.size() < 5 || cells[1] != stage["name"].get<std::string>()) continue;
      ++found;
      EXPECT_NEAR(std::stod(cells[3]), stage["macs"].get<double>() / 1e9, 0.0005) << cells[1];
      EXPECT_LE(std::stod(cells[4]), stage["dram_bytes"].get<double>() / 1e6 + 0.05) << cells[1];
    }
  }
  EXPECT_EQ(found, run["stages"].size());
}

nlohmann::ordered_json roofline_json_of(const std::string& trace, const std::vector<std::string>& settings = {}) {
  std::vector<std::string> words{"run", "--config", kEdge, "--trace", trace, "--fidelity", "roofline", "--json", "-"};
  for (const auto& setting : settings) words.insert(words.end(), {"--set", setting});
  const Outcome outcome = archsim_program(words);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return nlohmann::ordered_json::parse(outcome.out);
}

TEST(FidelityRoofline, IsTheBoundOfARunWithTheSameRows) {
  const TemporaryFolder folder;
  const std::string trace = small_trace(folder);
  const auto run = run_json_of(kEdge, trace), bound = roofline_json_of(trace);
  EXPECT_EQ(bound["fidelity"], "roofline");
  EXPECT_EQ(bound["time_s"], run["roofline"]["bound_s"]);
  EXPECT_EQ(bound["macs"], run["macs"]);
  EXPECT_EQ(bound["config"], run["config"]);
  EXPECT_LE(bound["dram_read_bytes"], run["dram_read_bytes"]);
  EXPECT_GT(bound["dram_read_bytes"].get<double>(), 0.5 * run["dram_read_bytes"].get<double>());
  ASSERT_EQ(bound["operators"].size(), run["operators"].size());
  for (std::size_t i = 0; i < run["operators"].size(); ++i) {
    EXPECT_EQ(bound["operators"][i]["name"], run["operators"][i]["name"]);
    EXPECT_EQ(bound["operators"][i]["repeat_path"], run["operators"][i]["repeat_path"]);
    EXPECT_LE(bound["operators"][i]["end_s"], run["operators"][i]["end_s"]);
    EXPECT_LE(bound["operators"][i]["start_s"], bound["operators"][i]["end_s"]);
  }
  double time_s = 0.0;
  for (std::size_t i = 0; i < run["stages"].size(); ++i) {
    EXPECT_EQ(bound["stages"][i]["bound_s"], run["stages"][i]["bound_s"]);
    EXPECT_EQ(bound["stages"][i]["macs"], run["stages"][i]["macs"]);
    time_s += bound["stages"][i]["time_s"].get<double>();
  }
  EXPECT_NEAR(time_s, bound["time_s"].get<double>(), 1e-12);
}

TEST(FidelityRoofline, ItsLabelIsTheResourceWhoseDoublingHelpsMost) {
  const TemporaryFolder folder;
  const std::string trace = small_trace(folder);
  for (const std::string slow : {"npu.dtypes={int8: 0.02, bf16: 0.02}", "dram.channels=4"}) {
    const auto bound = roofline_json_of(trace, {slow});
    const auto twice =
        roofline_json_of(trace, {slow.starts_with("npu") ? "npu.dtypes={int8: 0.04, bf16: 0.04}" : "dram.channels=8"});
    const std::string label = slow.starts_with("npu") ? "compute" : "dram";
    EXPECT_EQ(bound["bound"], label);
    double doubled_s = 0.0;
    for (const auto& stage : bound["stages"]) doubled_s += stage["if_doubled_s"][label].get<double>();
    EXPECT_NEAR(doubled_s, twice["time_s"].get<double>(), 1e-3 * doubled_s);
  }
}

}  // namespace
}  // namespace archsim
