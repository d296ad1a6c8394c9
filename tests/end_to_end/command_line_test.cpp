// Wrong command lines and wrong files through the program: `errors/NAME.cmd` holds one word of the command line a line;
// beside it `NAME.expected`, the exit status and what is said.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/diagnostics/fixture.h"
#include "tests/program_run/program.h"

namespace archsim {
namespace {

using testing::HasSubstr;

class CommandLine : public testing::TestWithParam<std::string> {};

TEST_P(CommandLine, MistakesAreTold) {
  std::vector<std::string> words;
  std::ifstream file(GetParam());
  for (std::string word; std::getline(file, word);) words.push_back(word);
  const Outcome outcome = archsim_program(words);
  EXPECT_NE(outcome.status, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(is_expected_for(GetParam(), "exit " + std::to_string(outcome.status) + "\n" + outcome.err));
}

INSTANTIATE_TEST_SUITE_P(Fixtures, CommandLine, testing::ValuesIn(fixtures_in("tests/end_to_end/errors")),
                         [](const auto& each) { return fixture_name(each.param); });

class Help : public testing::TestWithParam<const char*> {};

TEST_P(Help, FitsAScreenAndEndsWithExamples) {
  std::istringstream words{GetParam()};
  std::vector<std::string> arguments;
  for (std::string word; words >> word;) arguments.push_back(word);
  arguments.emplace_back("--help");
  const Outcome outcome = archsim_program(arguments);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, HasSubstr("Examples:\n"));
  EXPECT_LE(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 40);
  std::istringstream lines(outcome.out);
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 120U) << line;
    if (!line.empty()) last = line;
  }
  EXPECT_THAT(last, HasSubstr("archsim ")) << "the examples stand last";
}

INSTANTIATE_TEST_SUITE_P(Commands, Help,
                         testing::Values("", "run", "check", "describe", "trace", "trace build", "trace info",
                                         "trace cat", "trace export", "trace import", "trace diff", "roofline", "diff",
                                         "explain", "sweep", "calibrate", "report"));

class BadTrace : public testing::Test {
 protected:
  /// What a run says about `bytes` as a trace.
  Outcome run_on(const std::string& bytes) {
    std::ofstream(folder_.file("bad.trace"), std::ios::binary) << bytes;
    return archsim_program({"--config", kEdge, "--trace", folder_.file("bad.trace")});
  }
  TemporaryFolder folder_;
};

TEST_F(BadTrace, Truncated) {
  const std::string good = text_of_file(small_trace(folder_));
  for (const std::size_t size : {good.size() - 1, good.size() / 2}) {
    const Outcome outcome = run_on(good.substr(0, size));
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("error: "));
    EXPECT_THAT(outcome.err, HasSubstr("bad.trace"));
  }
}

TEST_F(BadTrace, NotATrace) {
  const Outcome outcome = run_on("soc: edge\n");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("trace"));
}

TEST_F(BadTrace, Missing) {
  const Outcome outcome = archsim_program({"--config", kEdge, "--trace", folder_.file("none.trace")});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("none.trace"));
}

TEST_F(BadTrace, MistakesOfBothFilesAreToldAtOnce) {
  const Outcome outcome = archsim_program({"--config", "none.yaml", "--trace", folder_.file("none.trace")});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("none.yaml"));
  EXPECT_THAT(outcome.err, HasSubstr("none.trace"));
}

TEST(SmallMemories, AreToldWhereTheirSizeStands) {
  const TemporaryFolder folder;
  const std::string trace = small_trace(folder);
  const auto told = [&](const std::string& setting) {
    const Outcome outcome = archsim_program({"--config", kEdge, "--trace", trace, "--set", setting});
    EXPECT_EQ(outcome.status, 2);
    return outcome.err;
  };
  const std::string scratchpad = told("npu.scratchpad.capacity=1 KiB");
  EXPECT_THAT(scratchpad, HasSubstr("the scratchpad of `npu0` is too small for any tile of operator"));
  EXPECT_THAT(scratchpad, HasSubstr("bytes are needed, it has 1024"));
  EXPECT_THAT(scratchpad, HasSubstr("--> --set:1:25"));
  EXPECT_THAT(scratchpad, HasSubstr("help: give it at least"));
  EXPECT_THAT(told("npu.accumulator=1 KiB"), HasSubstr("--> --set:1:17"));
  EXPECT_THAT(told("dram.capacity=128 MiB"), HasSubstr("--> --set:1:15"));
}

TEST(Stopped, AMachineThatCompletesNothingIsStuckAndNoResultIsWritten) {
  const TemporaryFolder folder;
  const std::string trace = small_trace(folder);
  // Preprocessing an image takes the cpu longer than a microsecond, and until then nothing is completed.
  const Outcome outcome =
      archsim_program({"--config", kEdge, "--trace", trace, "--watchdog", "1 us", "--json", folder.file("run.json")});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("the simulated machine is stuck: watchdog"));
  EXPECT_THAT(outcome.err, HasSubstr("npu0."));
  EXPECT_FALSE(std::filesystem::exists(folder.file("run.json")));
}

TEST(Stopped, CtrlCEndsARunWithNothingHalfWritten) {
  const TemporaryFolder folder;
  const std::string trace = folder.file("pi0.trace");
  ASSERT_EQ(archsim_program({"trace", "build", "traces/workloads/pi0.yaml", "-o", trace}).status, 0);
  const Outcome outcome = archsim_program_interrupted(
      {"--config", kEdge, "--trace", trace, "--out", folder.file("out")}, std::chrono::milliseconds(500));
  EXPECT_EQ(outcome.status, 130);
  EXPECT_EQ(outcome.out, "");
  EXPECT_FALSE(std::filesystem::exists(folder.file("out")));
}

TEST(Results, WhatCannotBeWrittenIsTold) {
  const TemporaryFolder folder;
  const Outcome outcome =
      archsim_program({"--config", kEdge, "--trace", small_trace(folder), "--json", folder.file("no/such/run.json")});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("cannot write"));
}

}  // namespace
}  // namespace archsim
