// `archsim sweep` as a user runs it: results, failures, interruptions, and going on after them.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "sweep/store/results.h"
#include "tests/program_run/program.h"
#include "tests/source_dir.h"

namespace archsim {
namespace {

using testing::HasSubstr;

class SweepProgram : public testing::Test {
 protected:
  std::string file(const std::string& rest) {
    const std::string path = folder_.file("sweep.yaml");
    std::ofstream(path) << "sweep: test\nsoc: configs/soc/edge_lpddr5.yaml\ntrace: tests/data/traces/tiny.trace\n"
                        << rest;
    return path;
  }
  std::string out() const { return folder_.file("results"); }
  Outcome sweep(const std::string& rest, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"sweep", file(rest), "-o", out()};
    words.insert(words.end(), more.begin(), more.end());
    return archsim_program(words);
  }
  Results results() {
    const auto results = read_results(out());
    EXPECT_TRUE(results) << render(results.diagnostics());
    return results ? *results : Results{};
  }
  TemporaryFolder folder_;
};

double run_time(const std::vector<std::string>& settings, const std::string& fidelity) {
  std::vector<std::string> words{"run",        "--config", kEdge,    "--trace", "tests/data/traces/tiny.trace",
                                 "--fidelity", fidelity,   "--json", "-"};
  for (const auto& setting : settings) words.insert(words.end(), {"--set", setting});
  return nlohmann::json::parse(archsim_program(words).out)["time_s"].get<double>();
}

TEST_F(SweepProgram, EveryPointIsWhatARunOfItSays) {
  for (const std::string fidelity : {"roofline", "full"}) {
    const auto outcome =
        sweep("fidelity: " + fidelity + "\naxes:\n  npu.rows: [16, 64]\n  dram.channels: [4, 8]\n", {"--resume"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const auto found = results();
    ASSERT_EQ(found.rows.size(), 4U);
    for (const auto& row : found.rows) {
      EXPECT_EQ(row.status, "done") << row.error;
      const double expected = run_time({"npu.rows=" + row.axes[0], "dram.channels=" + row.axes[1]}, fidelity);
      EXPECT_NEAR(row.metrics[0], expected, 2e-12) << fidelity;
    }
  }
}

TEST_F(SweepProgram, AFailingPointIsTheOnlyOneThatFails) {
  // Four ports do not divide two channels.
  const auto outcome =
      sweep("fidelity: roofline\naxes:\n  dram.channels: [2, 4, 8]\n  dram.ports: [2, 4]\nset: {placement: {}}\n");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  std::map<std::string, std::string> status;
  for (const auto& row : results().rows) {
    status[row.axes[0] + "/" + row.axes[1]] = row.status;
    EXPECT_THAT(row.error, row.status == "failed" ? HasSubstr("`ports` must divide `channels`") : HasSubstr(""));
  }
  EXPECT_EQ(status.size(), 6U);
  for (const auto& [point, is] : status) EXPECT_EQ(is, point == "2/4" ? "failed" : "done") << point;
}

TEST_F(SweepProgram, APointThatTakesTooLongFailsAndTheOthersGoOn) {
  // A simulation of all of pi0 takes seconds.
  const std::string path = folder_.file("pi0.yaml");
  std::ofstream(path)
      << "sweep: test\nsoc: configs/soc/edge_lpddr5.yaml\nworkload: traces/workloads/pi0.yaml\nfidelity: full\n"
         "timeout: 200 ms\naxes:\n  npu.rows: [16, 32, 64]\n";
  const auto outcome = archsim_program({"sweep", path, "-o", out()});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  ASSERT_EQ(results().rows.size(), 3U);
  for (const auto& row : results().rows) {
    EXPECT_EQ(row.status, "failed");
    EXPECT_THAT(row.error, HasSubstr("no answer within 0.2 s"));
  }
}

TEST_F(SweepProgram, ConstraintsMarkPoints) {
  ASSERT_EQ(sweep("fidelity: roofline\naxes:\n  npu.rows: [16, 64]\nconstraints: [peak_macs_per_s > 10e12]\n").status,
            0);
  const auto found = results();
  ASSERT_EQ(found.rows.size(), 2U);
  EXPECT_EQ(found.rows[0].status, "infeasible");
  EXPECT_EQ(found.rows[0].error, "peak_macs_per_s > 10e12");
  EXPECT_EQ(found.rows[1].status, "done");
}

TEST_F(SweepProgram, ResultsAreNotOverwrittenAndMoreValuesAddPoints) {
  ASSERT_EQ(sweep("fidelity: roofline\naxes:\n  npu.rows: [16, 64]\n").status, 0);
  const auto refused = sweep("fidelity: roofline\naxes:\n  npu.rows: [16, 32, 64]\n");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("--resume"));
  const auto again = sweep("fidelity: roofline\naxes:\n  npu.rows: [16, 32, 64]\n", {"--resume"});
  ASSERT_EQ(again.status, 0);
  EXPECT_THAT(again.out, HasSubstr("1 run, 2 kept from before"));
  EXPECT_EQ(results().rows.size(), 3U);
}

TEST_F(SweepProgram, ADryRunTellsThePointsAndWritesNothing) {
  const auto outcome =
      sweep("fidelity: roofline\naxes:\n  npu.rows: [16, 32, 64]\n  npu.cols: [16, 64]\n", {"--dry-run"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("6 by strategy grid"));
  EXPECT_FALSE(std::filesystem::exists(out()));
}

TEST_F(SweepProgram, JobsDoNotChangeResults) {
  const std::string text =
      "fidelity: roofline\naxes:\n  npu.rows: {from: 1, to: 64, step: 1}\n  npu.cols: [8, 16, 32]\n";
  std::vector<std::string> tables;
  for (const char* jobs : {"1", "3"}) {
    std::filesystem::remove_all(out());
    ASSERT_EQ(sweep(text, {"--jobs", jobs}).status, 0);
    tables.push_back(archsim_program({"sweep", "show", out(), "--format", "csv", "--top", "0"}).out);
  }
  EXPECT_EQ(tables[0], tables[1]);
  EXPECT_EQ(std::count(tables[0].begin(), tables[0].end(), '\n'), 193);
}

// A sweep that takes long enough to be stopped in the middle.
constexpr auto kLong =
    "fidelity: roofline\naxes:\n  npu.rows: {from: 1, to: 100, step: 1}\n  npu.cols: {from: 1, to: 60, step: 1}\n";

pid_t start(const std::vector<std::string>& words) {
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  ::setpgid(0, 0);
  if (::chdir(ARCHSIM_SOURCE_DIR) != 0) ::_exit(126);
  std::vector<char*> arguments{const_cast<char*>("archsim")};
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const int quiet = ::open("/dev/null", O_WRONLY);
  ::dup2(quiet, STDOUT_FILENO);
  ::dup2(quiet, STDERR_FILENO);
  ::execv(ARCHSIM_PROGRAM, arguments.data());
  ::_exit(127);
}

std::size_t rows_now(const std::string& folder) {
  const auto results = read_results(folder);
  return results ? results->rows.size() : 0;
}

/// Waits until the sweep has `rows` rows; false if it ended before.
bool wait_for_rows(const std::string& folder, std::size_t rows) {
  for (int i = 0; i < 600; ++i) {
    if (rows_now(folder) >= rows) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

std::vector<pid_t> children_of(pid_t pid) {
  std::vector<pid_t> children;
  std::ifstream list("/proc/" + std::to_string(pid) + "/task/" + std::to_string(pid) + "/children");
  for (pid_t child = 0; list >> child;) children.push_back(child);
  return children;
}

void expect_all_done(const Results& results) {
  ASSERT_EQ(results.rows.size(), 6000U);
  for (std::size_t i = 0; i < results.rows.size(); ++i) EXPECT_EQ(results.rows[i].id, i + 1);
}

TEST_F(SweepProgram, KilledDriverLosesNothingThatHasARow) {
  const pid_t pid = start({"sweep", file(kLong), "-o", out()});
  ASSERT_TRUE(wait_for_rows(out(), 200));
  const auto workers = children_of(pid);
  EXPECT_FALSE(workers.empty());
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
  const auto kept = rows_now(out());
  EXPECT_GE(kept, 200U);
  ASSERT_LT(kept, 6000U) << "it ended before it was killed";
  for (int i = 0; i < 100; ++i) {
    if (std::none_of(workers.begin(), workers.end(), [](pid_t each) { return ::kill(each, 0) == 0; })) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const auto again = sweep(kLong, {"--resume"});
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr(std::to_string(kept) + " kept from before"));
  expect_all_done(results());
}

TEST_F(SweepProgram, AKilledWorkerCostsOnePoint) {
  const pid_t pid = start({"sweep", file(kLong), "-o", out()});
  ASSERT_TRUE(wait_for_rows(out(), 200));
  const auto workers = children_of(pid);
  ASSERT_FALSE(workers.empty());
  ::kill(workers.front(), SIGKILL);
  int status = 0;
  ::waitpid(pid, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  const auto found = results();
  expect_all_done(found);
  std::size_t failed = 0;
  for (const auto& row : found.rows) failed += row.status == "failed";
  EXPECT_LE(failed, 1U);
}

TEST_F(SweepProgram, CtrlCKeepsWhatIsDone) {
  const pid_t pid = start({"sweep", file(kLong), "-o", out()});
  ASSERT_TRUE(wait_for_rows(out(), 200));
  ::kill(-pid, SIGINT);
  int status = 0;
  ::waitpid(pid, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 130);
  const auto kept = rows_now(out());
  EXPECT_GE(kept, 200U);
  ASSERT_EQ(sweep(kLong, {"--resume"}).status, 0);
  expect_all_done(results());
}

/// Stopped when it has `rows`, it comes to the same in the end as a sweep that was not.
void expect_goes_on_after_ctrl_c(const std::string& file, const TemporaryFolder& folder, std::size_t rows) {
  const std::string stopped = folder.file("stopped"), straight = folder.file("straight");
  const pid_t pid = start({"sweep", file, "-o", stopped});
  ASSERT_TRUE(wait_for_rows(stopped, rows));
  ::kill(-pid, SIGINT);
  int status = 0;
  ::waitpid(pid, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 130) << "it ended before it was stopped";
  const auto again = archsim_program({"sweep", file, "-o", stopped, "--resume"});
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_THAT(again.out, testing::Not(HasSubstr(" 0 kept from before")));
  ASSERT_EQ(archsim_program({"sweep", file, "-o", straight, "--quiet"}).status, 0);
  std::vector<std::string> tables;
  for (const auto& each : {stopped, straight}) {
    tables.push_back(archsim_program({"sweep", "show", each, "--format", "csv", "--top", "0"}).out);
  }
  EXPECT_EQ(tables[0], tables[1]);
}

TEST_F(SweepProgram, CtrlCStopsASearchThatGoesOnLater) {
  expect_goes_on_after_ctrl_c(
      file(
          "fidelity: roofline\naxes:\n  npu.rows: {from: 1, to: 100, step: 1}\n  npu.cols: {from: 1, to: 60, step: 1}\n"
          "objectives: [latency, area]\nstrategy: {name: nsga2, population: 400, generations: 20, mutation: 0.9}\n"),
      folder_, 300);
}

TEST_F(SweepProgram, CtrlCStopsARefinementThatGoesOnLater) {
  expect_goes_on_after_ctrl_c(
      file("fidelity: refine\naxes:\n  npu.rows: {from: 1, to: 40, step: 1}\n  npu.cols: [8, 16, 32]\n"
           "objectives: [latency, area]\n"),
      folder_, 60);
}

}  // namespace
}  // namespace archsim
