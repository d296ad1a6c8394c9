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

}  // namespace
}  // namespace archsim
