#include "arch/describe/table.h"

#include <gmock/gmock.h>

#include "tests/unit/describe/robot.h"

namespace archsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

const ParamTable& table() {
  static const ParamTable table = ParamTable::of<RobotParams>();
  return table;
}

struct ReadResult {
  RobotParams params;
  Diagnostics diagnostics;
};

ReadResult read(const std::string& text) {
  Diagnostics out;
  const auto node = parse_yaml(make_source("robot.yaml", text), out);
  if (!node) return {{}, out};
  const AnyParams params = table().read(*node, {"robot model `walker`", {"kind"}}, out);
  return {params.get<RobotParams>(), out};
}

TEST(ParamTable, NamesDefaultsAndRangesComeFromTheStruct) {
  const ParamEntry* rows = table().find("rows");
  ASSERT_NE(rows, nullptr);
  EXPECT_EQ(rows->default_text, "64");
  EXPECT_EQ(rows->range, "1 .. 1024");
  EXPECT_EQ(rows->doc, "rows of joints");
  EXPECT_EQ(table().find("latency")->range, "1 cycle .. 16 cycles");
  EXPECT_EQ(table().find("link")->default_text, "51.2 GB/s");
  EXPECT_EQ(table().find("dtypes")->default_text, "{int8: 1}");
  EXPECT_EQ(table().find("modes")->default_text, "[cached]");
  EXPECT_EQ(table().find("limit")->default_text, "");
  EXPECT_EQ(table().find("legs"), nullptr);
}

TEST(ParamTable, AGroupTakesItsDefaultsFromTheStructThatHoldsIt) {
  std::vector<std::string> paths;
  for (const auto& [path, leaf] : table().leaves()) paths.push_back(path + "=" + leaf->default_text);
  EXPECT_THAT(paths, ElementsAre("rows=64", "seed=1", "gain=0.5", "is_fast=false", "label=walker", "mode=cached",
                                 "latency=2 cycles", "link=51.2 GB/s", "modes=[cached]", "dtypes={int8: 1}",
                                 "limit=", "arm.capacity=1 MiB", "arm.banks=16"));
}

TEST(ParamTable, ReadsEveryKindOfValue) {
  const auto [params, diagnostics] = read(
      "{kind: robot, rows: 8, seed: 18446744073709551615, gain: 0.25, is_fast: true, label: 'a b', mode: "
      "software_managed, latency: 3 cycles, link: 1.5 GB/s, modes: [software_managed, cached], dtypes: {int8: 2, "
      "bf16: 1}, limit: 4 KiB, arm: {capacity: 256 KiB, banks: 4}}");
  EXPECT_EQ(render(diagnostics), "");
  EXPECT_EQ(params.rows, 8U);
  EXPECT_EQ(params.seed, 18446744073709551615U);
  EXPECT_EQ(params.gain, 0.25);
  EXPECT_TRUE(params.is_fast);
  EXPECT_EQ(params.label, "a b");
  EXPECT_EQ(params.mode, Mode::software_managed);
  EXPECT_EQ(params.latency, 3_cycles);
  EXPECT_EQ(params.link, Bandwidth(1.5e9));
  EXPECT_THAT(params.modes, ElementsAre(Mode::software_managed, Mode::cached));
  EXPECT_THAT(params.dtypes, ElementsAre(Pair(Number::int8, 2U), Pair(Number::bf16, 1U)));
  EXPECT_EQ(params.limit, 4_KiB);
  EXPECT_EQ(params.arm.capacity, 256_KiB);
  EXPECT_EQ(params.arm.banks, 4U);
}

TEST(ParamTable, WhatTheMapDoesNotGiveKeepsItsDefault) {
  const auto [params, diagnostics] = read("rows: 8\narm: {banks: 4}\n");
  EXPECT_EQ(render(diagnostics), "");
  EXPECT_EQ(params.latency, RobotParams{}.latency);
  EXPECT_EQ(params.arm.capacity, 1_MiB) << "the group's default in RobotParams, not the one in ArmParams";
}

TEST(ParamTable, TheDefaultsAsYamlReadBackAsTheDefaults) {
  Diagnostics out;
  const std::string text = show(table().datum(table().defaults()));
  const auto node = parse_yaml(make_source("defaults", text), out);
  ASSERT_TRUE(node) << text << render(out);
  const AnyParams again = table().read(*node, {"robot"}, out);
  EXPECT_EQ(render(out), "") << text;
  EXPECT_TRUE(table().equal(again, table().defaults())) << text;
}

TEST(ParamTable, SetChangesOneParamAndLeavesCopiesAlone) {
  AnyParams params = table().defaults();
  const AnyParams before = params;
  Diagnostics out;
  const auto assignment = parse_assignment("--set", "arm.banks=4", out);
  ASSERT_TRUE(assignment);
  EXPECT_TRUE(table().set(params, "arm.banks", assignment->value, out));
  EXPECT_EQ(params.get<RobotParams>().arm.banks, 4U);
  EXPECT_EQ(before.get<RobotParams>().arm.banks, 16U);
  EXPECT_FALSE(table().equal(params, before));
}

TEST(ParamTable, SetOfAnUnknownPathSaysWhatWasMeant) {
  AnyParams params = table().defaults();
  Diagnostics out;
  EXPECT_FALSE(table().set(params, "arm.bank", parse_assignment("--set", "robot.arm.bank=4", out)->value, out));
  EXPECT_EQ(render(out),
            "error: there is no parameter `arm.bank`\n"
            "  --> --set:1:16\n"
            "  1 | robot.arm.bank=4\n"
            "    |                ^\n"
            "help: did you mean `arm.banks`?\n");
}

TEST(ParamTable, SetChecksTheValue) {
  AnyParams params = table().defaults();
  Diagnostics out;
  EXPECT_FALSE(table().set(params, "rows", parse_assignment("--set", "rows=0", out)->value, out));
  EXPECT_THAT(render(out), HasSubstr("`rows` is 0, outside 1 .. 1024"));
  EXPECT_TRUE(table().equal(params, table().defaults()));
}

TEST(ParamTable, RulesAreCheckedOfGroupsToo) {
  AnyParams params = AnyParams::of(RobotParams{.arm = {.capacity = Bytes(1048577), .banks = 16}});
  Diagnostics out;
  table().check_rules(params, {}, out);
  EXPECT_THAT(render(out), HasSubstr("`capacity` must be a whole number of bytes in every bank"));
}

TEST(ParamTableDeathTest, ADefaultOutsideItsRangeIsABugOfOurs) {
  EXPECT_EXIT(ParamTable::of<RobotParams>(RobotParams{.rows = 0}), testing::ExitedWithCode(70),
              "`rows` is 0, outside 1 .. 1024");
}

TEST(AnyParamsDeathTest, AskingForAnotherTypeIsABugOfOurs) {
  EXPECT_EXIT(AnyParams::of(RobotParams{}).get<ArmParams>(), testing::ExitedWithCode(70), "params of another type");
}

TEST(StatTable, KeysCarryTheUnitAndValuesAreSi) {
  const StatTable stats = StatTable::of<RobotStats>();
  RobotStats measured;
  measured.carried += 64_B;
  measured.carried += 32_B;
  measured.stall_cycles += 7_cycles;
  measured.moved += 10_us;
  measured.load.observe(48_B);
  measured.load.observe(16_B);
  ++measured.steps;
  EXPECT_THAT(stats.values(&measured),
              ElementsAre(StatValue{"carried_bytes", std::uint64_t{64 + 32}},
                          StatValue{"stall_cycles", std::uint64_t{7}}, StatValue{"moved_s", seconds(10_us)},
                          StatValue{"load_bytes", std::uint64_t{48}}, StatValue{"steps", std::uint64_t{1}}));
}

TEST(StatTable, EnginesAreTimeShares) {
  RobotStats measured;
  measured.leg.add_busy(3_ns);
  measured.leg.add_wait("floor", 4_ns);
  measured.leg.add_wait("floor", 1_ns);
  measured.leg.fill_idle(10_ns);
  measured.leg.check_sum(10_ns, "leg");
  EXPECT_THAT(StatTable::of<RobotStats>().engines(&measured),
              ElementsAre(Pair("leg", ElementsAre(StatValue{"busy_s", seconds(3_ns)},
                                                  StatValue{"wait_floor_s", seconds(4_ns + 1_ns)},
                                                  StatValue{"idle_s", seconds(10_ns - 3_ns - 5_ns)}))));
}

TEST(TimeSharesDeathTest, SharesThatDoNotSumToTheElapsedTimeAreABugOfOurs) {
  TimeShares shares;
  shares.add_busy(3_ns);
  EXPECT_EXIT(shares.check_sum(4_ns, "npu0.array"), testing::ExitedWithCode(70),
              "npu0.array: the shares are 3 ns of 4 ns");
  EXPECT_EXIT(shares.fill_idle(2_ns), testing::ExitedWithCode(70), "shares of 3 ns in 2 ns");
}

TEST(EventTable, EveryEventHasItsCostKeyAndItsCount) {
  const EventTable events = EventTable::of<RobotEvents<Count>>();
  ASSERT_EQ(events.entries().size(), 2U);
  EXPECT_EQ(events.entries()[0].cost_key, "leg.step");
  EXPECT_EQ(events.entries()[1].doc, "one fall");
  RobotEvents<Count> happened;
  happened.step += 5;
  EXPECT_THAT(events.counts(&happened), ElementsAre(Pair("step", 5U), Pair("fall", 0U)));
}

}  // namespace
}  // namespace archsim
