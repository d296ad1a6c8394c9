// Completions as bash makes them, and the manual.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/program_run/program.h"

namespace archsim {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class Completions : public testing::Test {
 protected:
  void SetUp() override {
    const Outcome outcome = archsim_program({"--completions", "bash"});
    ASSERT_EQ(outcome.status, 0);
    std::ofstream(script_) << outcome.out;
  }
  /// What bash offers for the last of the words.
  std::set<std::string> offered(const std::string& words) {
    const std::string command =
        "bash -c 'source " + script_ + "; COMP_WORDS=(" + words +
        "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _archsim; printf \"%s\\n\" \"${COMPREPLY[@]}\"'";
    std::FILE* pipe = ::popen(command.c_str(), "r");
    std::string text;
    std::array<char, 4096> buffer{};
    while (const auto got = std::fread(buffer.data(), 1, buffer.size(), pipe)) text.append(buffer.data(), got);
    EXPECT_EQ(::pclose(pipe), 0);
    std::istringstream lines(text);
    std::set<std::string> all;
    for (std::string line; std::getline(lines, line);) all.insert(line);
    return all;
  }
  TemporaryFolder folder_;
  std::string script_ = folder_.file("archsim.bash");
};

TEST_F(Completions, OfferCommandsOptionsAndChoices) {
  EXPECT_EQ(offered("archsim roof"), std::set<std::string>{"roofline"});
  EXPECT_EQ(offered("archsim trace im"), std::set<std::string>{"import"});
  EXPECT_EQ(offered("archsim run --fi"), std::set<std::string>{"--fidelity"});
  EXPECT_EQ(offered("archsim run --format j"), std::set<std::string>{"json"});
  EXPECT_EQ(offered("archsim --config x.yaml --format \"\""),
            (std::set<std::string>{"table", "json", "csv", "markdown"}));
  EXPECT_THAT(offered("archsim diff --"), Contains("--fail-above"));
  EXPECT_THAT(offered("archsim diff --"), Not(Contains("--config")));
  EXPECT_THAT(offered("archsim check /et"), Contains("/etc"));
}

TEST(Manual, HasEveryCommandAndItsOptions) {
  const Outcome outcome = archsim_program({"--man"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr(".SH NAME\narchsim \\- "));
  for (const char* words : {".SS archsim run\n", ".SS archsim trace build\n", ".SS archsim diff\n",
                            "\\-\\-fail\\-above PERCENT", "\\-\\-timeline FILE", ".SH EXIT STATUS"})
    EXPECT_THAT(outcome.out, HasSubstr(words));
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) EXPECT_TRUE(line.empty() || line[0] != '\'') << line;
}

}  // namespace
}  // namespace archsim
