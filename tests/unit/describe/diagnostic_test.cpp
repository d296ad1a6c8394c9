#include "arch/describe/diagnostic.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace archsim {
namespace {

using testing::HasSubstr;

Source source() { return make_source("soc.yaml", "one\r\n\ttwo: é x\nthree\n"); }

TEST(Diagnostic, ShowsTheUsersLineWithACaret) {
  std::string text;
  for (int i = 1; i < 14; ++i) text += "\n";
  const Source file = make_source("configs/soc/edge_lpddr5.yaml", text + "      bankz: 8\n");
  EXPECT_EQ(
      render(Diagnostic{
          Severity::error, "sram model `banked` has no parameter `bankz`", {file, 14, 7}, "did you mean `banks`?"}),
      "error: sram model `banked` has no parameter `bankz`\n"
      "  --> configs/soc/edge_lpddr5.yaml:14:7\n"
      "  14 |       bankz: 8\n"
      "     |       ^\n"
      "help: did you mean `banks`?\n");
}

TEST(Diagnostic, TheCaretStandsRightBelowTabsAndWideCharacters) {
  EXPECT_EQ(render(Diagnostic{Severity::warning, "odd", {source(), 2, 10}}),
            "warning: odd\n"
            "  --> soc.yaml:2:9\n"
            "  2 | \ttwo: é x\n"
            "    | \t       ^\n");
}

TEST(Diagnostic, OfALongLineOnlyThePartAroundTheCaretIsShown) {
  const Source file = make_source("long.yaml", std::string(200, 'a') + "!" + std::string(300, 'b') + "\n");
  EXPECT_EQ(render(Diagnostic{Severity::error, "odd", {file, 1, 201}}),
            "error: odd\n  --> long.yaml:1:201\n  1 | ..." + std::string(60, 'a') + "!" + std::string(59, 'b') +
                "...\n    | " + std::string(63, ' ') + "^\n");
  EXPECT_EQ(render(Diagnostic{Severity::error, "odd", {file, 1, 2}}),
            "error: odd\n  --> long.yaml:1:2\n  1 | " + std::string(120, 'a') + "...\n    |  ^\n");
}

TEST(Diagnostic, WhatATerminalWouldObeyIsWrittenOut) {
  const Source file = make_source("odd.yaml", "\x1b[31mred\n");
  EXPECT_EQ(render(Diagnostic{Severity::error, "`\x1b[31m\n` is odd", {file, 1, 2}}),
            "error: `\\x1b[31m\\n` is odd\n  --> odd.yaml:1:2\n  1 | ?[31mred\n    |  ^\n");
}

TEST(Diagnostic, AWholeFileOrNoPlaceAtAll) {
  EXPECT_EQ(render(Diagnostic{Severity::note, "empty", {source()}}), "note: empty\n  --> soc.yaml\n");
  EXPECT_EQ(render(Diagnostic{Severity::error, "no input"}), "error: no input\n");
}

TEST(Diagnostic, APlaceBehindTheLastLineIsNamedWithoutALine) {
  EXPECT_EQ(render(Diagnostic{Severity::error, "it ends", {source(), 4, 1}}), "error: it ends\n  --> soc.yaml:4:1\n");
}

TEST(Diagnostics, AreToldInTheOrderOfTheText) {
  const Source file = source();
  Diagnostics all;
  all.error({file, 3, 1}, "later");
  all.warning({file, 1, 1}, "earlier");
  EXPECT_TRUE(all.has_errors());
  EXPECT_EQ(render(all),
            "warning: earlier\n  --> soc.yaml:1:1\n  1 | one\n    | ^\n"
            "\n"
            "error: later\n  --> soc.yaml:3:1\n  3 | three\n    | ^\n");
}

TEST(Checked, IsAValueOrItsErrors) {
  const Checked<int> value = 3;
  ASSERT_TRUE(value);
  EXPECT_EQ(*value, 3);
  const Checked<int> error = Diagnostic{Severity::error, "none"};
  EXPECT_FALSE(error);
  EXPECT_EQ(error.diagnostics().all().size(), 1U);
}

TEST(CheckedDeathTest, ToTakeAValueThatIsNotThereIsABugOfOurs) {
  const Checked<int> error = Diagnostic{Severity::error, "there is none"};
  EXPECT_EXIT(*error, testing::ExitedWithCode(70), "there is none");
  EXPECT_EXIT(Checked<int>(Diagnostics{}), testing::ExitedWithCode(70), "neither a value nor an error");
}

TEST(ReadSource, SaysWhyAFileCannotBeRead) {
  EXPECT_EQ(render(read_source("no/such.yaml").diagnostics()),
            "error: cannot read `no/such.yaml`: there is no such file\n");
  EXPECT_EQ(render(read_source("/").diagnostics()), "error: cannot read `/`: it is a directory\n");
}

TEST(ReadSource, KeepsTheTextAndItsLines) {
  const auto path = std::filesystem::path(testing::TempDir()) / "read_source.yaml";
  std::ofstream(path, std::ios::binary) << "a\r\n\nlast";
  const auto file = read_source(path.string());
  ASSERT_TRUE(file);
  EXPECT_EQ((*file)->text, "a\r\n\nlast");
  EXPECT_THAT((*file)->lines, testing::ElementsAre("a", "", "last"));
}

}  // namespace
}  // namespace archsim
