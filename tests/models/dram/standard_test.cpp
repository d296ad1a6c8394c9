#include "models/dram/standard.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "models/dram/banked.h"
#include "tests/source_dir.h"

namespace archsim {
namespace {

using testing::HasSubstr;

std::string standard_text(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(std::string(ARCHSIM_SOURCE_DIR) + "/configs/dram/" + name + ".yaml").rdbuf();
  return text.str();
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string complaint(const std::string& text) {
  const auto standard = read_dram_standard(make_source("my.yaml", text));
  return render(standard.diagnostics());
}

TEST(DramStandard, EveryFileOfTheRepositoryReadsAndIsNamedAsItsFile) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(ARCHSIM_SOURCE_DIR) + "/configs/dram")) {
    if (entry.is_directory()) continue;  // of controllers
    const std::string name = entry.path().stem().string();
    const auto standard = find_dram_standard(name, {});
    ASSERT_TRUE(standard) << render(standard.diagnostics());
    EXPECT_EQ(standard->standard, name);
    ++files;
  }
  EXPECT_GE(files, 8);
}

TEST(DramStandard, TimesBecomeWholeClocksRoundedUp) {
  const auto standard = find_dram_standard("lpddr5-6400", {});
  ASSERT_TRUE(standard);
  EXPECT_EQ(standard->t_rcd.cycles(standard->clock), Cycles(15));  // 18 ns at 1.25 ns a clock: 14.4
  EXPECT_EQ(standard->t_rcd.cycles(1600_MHz), Cycles(29));         // another clock re-derives it: 28.8
  EXPECT_EQ(standard->rl.cycles(1600_MHz), Cycles(17));            // clocks stay clocks
  EXPECT_DOUBLE_EQ(standard->peak().value, 32.0 / 2 * 800e6);      // bytes a burst / clocks a burst x clock
}

TEST(DramStandard, RulesAmongTimingsPointToTheLine) {
  const std::string text = standard_text("lpddr5-6400");
  EXPECT_THAT(complaint(replaced(text, "t_rc: {value: 60 ns", "t_rc: {value: 59 ns")),
              testing::AllOf(HasSubstr("`t_rc` must be at least `t_ras` + `t_rp`"), HasSubstr("my.yaml:28:7")));
  EXPECT_THAT(complaint(replaced(text, "t_refi: {value: 3906 ns", "t_refi: {value: 200 ns")),
              HasSubstr("refresh leaves no time for data"));
}

TEST(DramStandard, MistakesOfAFileAreToldTogether) {
  std::string text = standard_text("lpddr5-6400");
  text = replaced(text, "bank_groups: 4", "bank_groups: 3");
  text = replaced(text, "t_rp: {value: 18 ns, ", "t_rp: {");
  text = replaced(text, "rl: {value: 17 cycles", "rl: {value: 17");
  text = replaced(text, "t_wr:", "t_wrr:");
  const std::string told = complaint(text);
  EXPECT_THAT(told, HasSubstr("power of two"));
  EXPECT_THAT(told, HasSubstr("`value`"));
  EXPECT_THAT(told, HasSubstr("neither a time nor a number of clocks"));
  EXPECT_THAT(told, HasSubstr("`t_wrr`"));
  EXPECT_THAT(told, HasSubstr("`t_wr` is missing"));
}

AnyParams read_params(const std::string& text, Diagnostics& out) {
  const auto node = parse_yaml(make_source(std::string(ARCHSIM_SOURCE_DIR) + "/configs/soc/mine.yaml", text), out);
  return ParamTable::of<BankedDramParams>().read(*node, {.owner = "dram model `banked`"}, out);
}

TEST(DramStandard, IsFoundBesideTheFolderOfTheSocFile) {
  Diagnostics out;
  const AnyParams params = read_params("standard: hbm3-6400\nchannels: 32\nports: 8\n", out);
  ASSERT_FALSE(out.has_errors()) << render(out);
  EXPECT_DOUBLE_EQ(BankedDram::memory(params.get<BankedDramParams>(), Frequency::zero()).peak.value, 819.2e9);
}

TEST(DramStandard, AnUnknownOneIsAnErrorWithTheNearestName) {
  Diagnostics out;
  read_params("channels: 8\nstandard: lpddr5-640\n", out);
  EXPECT_THAT(render(out), testing::AllOf(HasSubstr("no DRAM standard is called `lpddr5-640`"),
                                          HasSubstr("mine.yaml:2:11"), HasSubstr("did you mean `lpddr5-6400`?")));
}

TEST(BankedDramParams, PortsDivideChannels) {
  Diagnostics out;
  read_params("channels: 6\nports: 4\n", out);
  EXPECT_THAT(render(out), HasSubstr("`ports` must divide `channels`"));
}

}  // namespace
}  // namespace archsim
