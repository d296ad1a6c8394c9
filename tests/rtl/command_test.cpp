#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/program_run/program.h"

namespace archsim {
namespace {

using testing::HasSubstr;

Outcome cosim(std::vector<std::string> words) {
  words.insert(words.begin(), {"cosim", "--config", "configs/soc/rtl_small.yaml"});
  return archsim_program(words);
}

TEST(CosimCommand, SaysCyclesOfBothAndOfEveryCommand) {
  const Outcome outcome = cosim({"--matmul", "24x16x40", "--latency", "100", "--json", "-"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["schema"], "archsim.cosim/1");
  EXPECT_TRUE(json["data_match"].get<bool>());
  const double model = json["model_cycles"], rtl = json["rtl_cycles"];
  EXPECT_NEAR(json["error"].get<double>(), model / rtl - 1.0, 1e-12);
  EXPECT_LT(std::abs(model / rtl - 1.0), 0.02);
  // Set-up and latency of the loads, and of the store behind the array.
  EXPECT_GT(rtl, 2 * 100.0);
  ASSERT_FALSE(json["commands"].empty());
  std::set<std::string> opcodes;
  for (const auto& command : json["commands"]) {
    opcodes.insert(command["opcode"].get<std::string>());
    EXPECT_GT(command["rtl_cycles"].get<int>(), 0);
    EXPECT_GT(command["model_cycles"].get<int>(), 0);
  }
  EXPECT_EQ(opcodes, (std::set<std::string>{"dma", "matmul"}));
}

TEST(CosimCommand, WritesWavesOfAWindow) {
  const TemporaryFolder folder;
  const std::string all = folder.file("all.fst"), part = folder.file("part.fst");
  ASSERT_EQ(cosim({"--matmul", "24x16x40", "--waves", all}).status, 0);
  ASSERT_EQ(cosim({"--matmul", "24x16x40", "--waves", part, "--window", "50:60"}).status, 0);
  EXPECT_GT(std::filesystem::file_size(part), 0U);
  EXPECT_LT(std::filesystem::file_size(part), std::filesystem::file_size(all));
}

TEST(CosimCommand, RefusesWhatTheRtlHasNot) {
  const Outcome sizes = cosim({"--matmul", "8x8x8", "--set", "npu.rows=16"});
  EXPECT_EQ(sizes.status, 2);
  EXPECT_THAT(sizes.err, HasSubstr("no RTL core with these sizes"));
  EXPECT_THAT(sizes.err, HasSubstr("-DARCHSIM_RTL_CORES="));
  EXPECT_THAT(sizes.err, HasSubstr("Rows=16,Cols=8"));
  const Outcome shape = cosim({"--matmul", "8x8"});
  EXPECT_EQ(shape.status, 2);
  EXPECT_THAT(shape.err, HasSubstr("`8x8` is no shape of a product"));
  const Outcome nothing = cosim({});
  EXPECT_EQ(nothing.status, 2);
  EXPECT_THAT(nothing.err, HasSubstr("one of `--trace` and `--matmul`"));
}

}  // namespace
}  // namespace archsim
