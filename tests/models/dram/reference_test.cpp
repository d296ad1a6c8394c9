// The exact channel against runs of three reference simulators; all rows: scripts/validate memory.
#include "tests/validate/memory/reference.h"

#include <gmock/gmock.h>

#include <map>

#include "arch/describe/values/enum_names.h"

namespace archsim {
namespace {

const std::map<DramCommand, std::string> kNames = {
    {DramCommand::activate, "ACT"},    {DramCommand::activate_second, "ACT2"},
    {DramCommand::precharge, "PREpb"}, {DramCommand::sync, "CAS_RD"},
    {DramCommand::read, "RD"},         {DramCommand::precharge_all, "PREab"}};

TEST(DramReference, EveryCommandIsRamulators) {
  for (const std::string config : {"DDR4_3200AA", "HBM2_2000", "HBM3_6400", "LPDDR5_6400", "LPDDR5X_8533"}) {
    for (const std::string pattern : {"seq", "rand"}) {
      const auto machine = machine_of("Ramulator2", config);
      ASSERT_TRUE(machine);
      DramProbe probe{.standard = machine->standard, .controller = machine->controller};
      probe.pattern = enum_from<DramPattern>(pattern).value();
      probe.requests = 400;
      std::vector<LoggedCommand> given;
      ASSERT_TRUE(probe_exactly(probe, &given));
      const auto expected = reference_commands(config + "_" + pattern + "_r");
      ASSERT_EQ(given.size(), expected.size()) << config << " " << pattern;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const ReferenceCommand& want = expected[i];
        const std::string name = want.command == "ACT1" ? "ACT" : want.command;
        ASSERT_EQ(kNames.at(given[i].command), name) << config << " " << pattern << " " << i;
        ASSERT_EQ(given[i].at.bank, want.group * machine->standard.banks + want.bank)
            << config << " " << pattern << " " << i;
        ASSERT_EQ(given[i].at.row, want.row) << config << " " << pattern << " " << i;
        ASSERT_EQ(given[i].slot + 1, want.clock) << config << " " << pattern << " " << i;  // its clocks count from 1
      }
    }
  }
}

bool is_near(double given, double expected, double part) { return std::abs(given - expected) <= part * expected; }

/// The rows of random requests at half the peak.
void expect_agreement(const std::string& tool, std::size_t at_least) {
  std::size_t rows = 0;
  for (const ReferenceRow& row : reference_rows()) {
    const auto machine = machine_of(row.tool, row.config);
    if (row.tool != tool || row.load != "0.50" || row.pattern != "rand" || !machine) continue;
    ++rows;
    const auto result = probe_exactly(probe_of(row, *machine));
    ASSERT_TRUE(result);
    const auto count = [](std::uint64_t value) { return static_cast<double>(value); };
    EXPECT_TRUE(is_near(result->bandwidth_bytes_per_s * 1e-9, row.bandwidth, 0.03)) << row.name();
    EXPECT_TRUE(is_near(*result->latency_avg_s * 1e9, *row.latency_ns, 0.10)) << row.name();
    EXPECT_TRUE(is_near(count(result->counts.activates), count(row.activates), 0.03)) << row.name();
    EXPECT_TRUE(is_near(count(result->counts.reads), count(row.reads), 0.03)) << row.name();
    EXPECT_TRUE(is_near(count(result->counts.writes), count(row.writes), 0.03)) << row.name();
  }
  EXPECT_GE(rows, at_least);
}

TEST(DramReference, ShortRunsAgreeWithRamulators) { expect_agreement("Ramulator2", 12); }
TEST(DramReference, ShortRunsAgreeWithDramsys) { expect_agreement("DRAMSys", 10); }
TEST(DramReference, ShortRunsAgreeWithDramsim3s) { expect_agreement("DRAMsim3", 16); }

TEST(DramReference, IdleLatenciesAreWithinTwoClocks) {
  std::size_t rows = 0;
  for (const ReferenceIdle& row : reference_idles()) {
    const auto machine = machine_of(row.tool, row.config);
    // That run's "row hit" is the latency of a closed bank: its second read found the row closed.
    if (!machine || row.config == "LPDDR5_6400_wckon") continue;
    ++rows;
    const double two_clocks = 2.05e9 / static_cast<double>(machine->standard.clock.value);
    const auto given = idle_latency(machine->standard, machine->controller);
    ASSERT_TRUE(given);
    EXPECT_NEAR(given->closed_bank_s * 1e9, row.closed_bank_ns, two_clocks) << row.tool << " " << row.config;
    EXPECT_NEAR(given->row_hit_s * 1e9, row.row_hit_ns, two_clocks) << row.tool << " " << row.config;
    EXPECT_NEAR(given->row_conflict_s * 1e9, row.row_conflict_ns, two_clocks) << row.tool << " " << row.config;
  }
  EXPECT_GE(rows, 19U);
}

}  // namespace
}  // namespace archsim
