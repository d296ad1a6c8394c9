// The exact channel against closed forms of every standard: what no controller can change.
#include <gmock/gmock.h>

#include "models/dram/probe/probe.h"
#include "tests/validate/memory/reference.h"

namespace archsim {
namespace {

const std::vector<std::string> kStandards = {"lpddr4-3200", "lpddr4-4266", "lpddr5-6400", "lpddr5x-8533",
                                             "hbm2-2000",   "hbm3-6400",   "ddr4-3200",   "ddr5-4800"};

DramProbe probe_of(const std::string& memory, const std::string& controller = "default") {
  const auto standard = find_dram_standard(memory, {});
  const auto params = find_controller(controller);
  EXPECT_TRUE(standard) << render(standard.diagnostics());
  EXPECT_TRUE(params) << render(params.diagnostics());
  return {.standard = *standard, .controller = *params};
}

DramProbeResult run(const DramProbe& probe) {
  const auto result = probe_exactly(probe);
  EXPECT_TRUE(result) << render(result.diagnostics());
  return *result;
}

double efficiency(const DramProbeResult& result) { return result.bandwidth_bytes_per_s / result.peak_bytes_per_s; }

/// The part of the time that is not lost to refreshes.
double without_refresh(const ExactTiming& t) {
  return 1.0 - static_cast<double>(t.precharge_all_to_refresh + t.refresh_to_activate + t.activate_to_read) /
                   static_cast<double>(t.refresh_interval);
}

TEST(ExactChannel, SequentialReadsLoseOnlyTheRefreshes) {
  for (const std::string& memory : kStandards) {
    DramProbe probe = probe_of(memory);
    probe.requests = 20000;
    const double expected = without_refresh(ExactTiming(probe.standard));
    EXPECT_NEAR(efficiency(run(probe)), expected, 0.01) << memory;
  }
}

TEST(ExactChannel, RowConflictsTakeARowCycleEach) {
  for (const std::string& memory : kStandards) {
    DramProbe probe = probe_of(memory);
    probe.pattern = DramPattern::rowconf;
    probe.requests = 5000;
    const ExactTiming t(probe.standard);
    const Slot bursts = std::max<Slot>(1, 64 / t.burst_bytes), more = (bursts - 1) * t.read_to_read_group;
    // ACT, RD, .., RD, PRE, ACT of one bank, or its row cycle; and the start of the data clock (LPDDR5).
    const Slot chain = t.activate_to_read + more + t.read_to_precharge + t.precharge_to_activate;
    const Slot row = std::max(t.activate_to_activate, chain);
    const double expected = static_cast<double>(bursts * t.burst) / static_cast<double>(row) * without_refresh(t);
    EXPECT_NEAR(efficiency(run(probe)), expected, 0.03 * expected) << memory;
  }
}

TEST(ExactChannel, RowConflictsOfWritesWaitForTheirRecovery) {
  for (const std::string& memory : kStandards) {
    DramProbe probe = probe_of(memory);
    probe.pattern = DramPattern::rowconf;
    probe.access = DramAccess::w;
    probe.requests = 5000;
    const ExactTiming t(probe.standard);
    const Slot bursts = std::max<Slot>(1, 64 / t.burst_bytes), more = (bursts - 1) * t.write_to_write_group;
    const Slot chain = t.activate_to_write + more + t.write_to_precharge + t.precharge_to_activate;
    const double expected = static_cast<double>(bursts * t.burst) /
                            static_cast<double>(std::max(t.activate_to_activate, chain)) * without_refresh(t);
    EXPECT_NEAR(efficiency(run(probe)), expected, 0.04 * expected) << memory;
  }
}

TEST(ExactChannel, RandomReadsStayBelowTheActivatesThatAreAllowed) {
  for (const std::string& memory : kStandards) {
    DramProbe probe = probe_of(memory);
    probe.pattern = DramPattern::rand;
    probe.requests = 10000;
    const ExactTiming t(probe.standard);
    const double bursts = std::max(1.0, 64.0 / static_cast<double>(t.burst_bytes));
    const double by_window = 4.0 * bursts * static_cast<double>(t.burst) / static_cast<double>(t.four_activates);
    const double by_pair = bursts * static_cast<double>(t.burst) / static_cast<double>(t.activate_to_activate_rank);
    const double given = efficiency(run(probe));
    EXPECT_LT(given, std::min({1.0, by_window, by_pair}) * without_refresh(t) + 0.01) << memory;
    EXPECT_GT(given, 0.35) << memory;
  }
}

TEST(ExactChannel, IdleLatenciesAreSumsOfTimings) {
  for (const std::string& memory : kStandards) {
    const DramProbe probe = probe_of(memory);
    const ExactTiming t(probe.standard);
    const auto idle = idle_latency(probe.standard, probe.controller);
    ASSERT_TRUE(idle);
    const Slot bursts = std::max<Slot>(1, 64 / t.burst_bytes), more = (bursts - 1) * t.read_to_read_group;
    const Slot sync = t.syncs_data_clock ? 1 : 0;
    const double hit = static_cast<double>(sync + t.read_latency + more + t.burst);
    const double closed = hit + static_cast<double>(t.activate_to_read),
                 conflict = closed + static_cast<double>(t.precharge_to_activate);
    const double tolerance = static_cast<double>(2 * t.edges);
    EXPECT_NEAR(idle->row_hit_s / t.slot_seconds, hit, tolerance) << memory;
    EXPECT_NEAR(idle->closed_bank_s / t.slot_seconds, closed, tolerance) << memory;
    EXPECT_NEAR(idle->row_conflict_s / t.slot_seconds, conflict, tolerance) << memory;
  }
}

TEST(ExactChannel, EveryBurstIsServedOnceByEveryController) {
  for (const std::string controller : {"default", "ramulator2", "dramsys", "dramsim3"}) {
    for (const PagePolicy page : {PagePolicy::open, PagePolicy::closed, PagePolicy::adaptive}) {
      DramProbe probe = probe_of("lpddr4-3200", controller);
      probe.pattern = DramPattern::rand;
      probe.access = DramAccess::mix;
      probe.requests = 3000;
      probe.controller.page = page;
      const DramCounts counts = run(probe).counts;
      EXPECT_EQ(counts.reads, 2 * 2000U);
      // bank_queues leave a few writes waiting for more.
      EXPECT_LE(counts.writes, 2 * 1000U);
      EXPECT_GE(counts.writes, 2 * 1000U - probe.controller.write_low);
      EXPECT_LE(counts.precharges, counts.activates + counts.refreshes) << controller;
    }
  }
}

TEST(ExactChannel, ClosedPagesCostRowHitsAndSaveConflicts) {
  DramProbe probe = probe_of("ddr4-3200");
  probe.requests = 3000;
  probe.load = 0.1;
  probe.pattern = DramPattern::rand;
  const double open = *run(probe).latency_avg_s;
  probe.controller.page = PagePolicy::closed;
  EXPECT_LT(*run(probe).latency_avg_s, open);
  probe.pattern = DramPattern::seq;
  const auto closed_stream = run(probe);
  probe.controller.page = PagePolicy::open;
  const auto open_stream = run(probe);
  EXPECT_GT(*closed_stream.latency_avg_s, *open_stream.latency_avg_s);
  EXPECT_GT(closed_stream.counts.activates, 5 * open_stream.counts.activates);
}

TEST(ExactChannel, RefreshOfOneBankDisturbsLessThanThatOfAll) {
  DramProbe probe = probe_of("lpddr5-6400");
  probe.pattern = DramPattern::rand;
  probe.load = 0.3;
  probe.requests = 10000;
  const auto all = run(probe);
  probe.controller.refresh = RefreshPolicy::per_bank;
  const auto one = run(probe);
  EXPECT_LT(*one.latency_p99_s, *all.latency_p99_s);
  const double interval = seconds(probe.standard.t_refi_bank.time(probe.standard.clock));
  EXPECT_NEAR(static_cast<double>(one.counts.refreshes), one.time_s / interval, 2.0);
  probe.controller.refresh = RefreshPolicy::none;
  EXPECT_EQ(run(probe).counts.refreshes, 0U);
}

TEST(ExactChannel, HeatRefreshesMoreOftenAndSlowsRows) {
  DramProbe probe = probe_of("lpddr4-3200");
  probe.requests = 20000;
  const auto cold = run(probe);
  probe.temperature = DramTemperature::above_85_c;
  const auto hot = run(probe);
  const double rate = probe.standard.hot_refresh_rate;
  EXPECT_NEAR(static_cast<double>(hot.counts.refreshes) / hot.time_s,
              rate * static_cast<double>(cold.counts.refreshes) / cold.time_s,
              0.02 * static_cast<double>(hot.counts.refreshes) / hot.time_s);
  EXPECT_NEAR(efficiency(hot), without_refresh(ExactTiming(probe.standard, DramTemperature::above_85_c)), 0.02);
}

TEST(ExactChannel, PowerDownCostsItsExit) {
  DramProbe probe = probe_of("ddr4-3200");
  probe.requests = 500;
  probe.load = 0.01;
  probe.controller.refresh = RefreshPolicy::none;
  const auto awake = run(probe);
  probe.controller.power_down_after = Cycles(50);
  const auto asleep = run(probe);
  const ExactTiming timing(probe.standard);
  const double exit = static_cast<double>(timing.power_down_exit) * timing.slot_seconds;
  EXPECT_NEAR(*asleep.latency_avg_s - *awake.latency_avg_s, exit, 0.1 * exit);
  EXPECT_GT(asleep.powered_down_s, 0.5 * asleep.time_s);
}

TEST(ExactChannel, ARowHitCapLetsAConflictThrough) {
  DramProbe probe = probe_of("ddr4-3200", "dramsim3");
  probe.pattern = DramPattern::seq4;
  probe.requests = 10000;
  const auto capped = run(probe);
  probe.controller.row_hit_cap = 0;
  EXPECT_LT(run(probe).counts.activates, capped.counts.activates);
  DramProbe buffer = probe_of("ddr4-3200", "ramulator2");
  buffer.pattern = DramPattern::seq4;
  buffer.requests = 10000;
  const auto free = run(buffer);
  buffer.controller.row_hit_cap = 2;
  EXPECT_GT(run(buffer).counts.activates, free.counts.activates);
}

TEST(ExactChannel, HashingBanksCuresATileWalk) {
  DramProbe probe = probe_of("hbm3-6400");
  probe.pattern = DramPattern::tile;
  probe.requests = 10000;
  const double plain = efficiency(run(probe));
  probe.controller.xor_row_into = {DramField::bank, DramField::group};
  EXPECT_GT(efficiency(run(probe)), 1.3 * plain);
}

TEST(ExactChannel, DeeperQueuesServeRandomReadsFaster) {
  DramProbe probe = probe_of("lpddr5-6400");
  probe.pattern = DramPattern::rand;
  probe.requests = 10000;
  double last = 0.0;
  for (const unsigned entries : {2U, 8U, 32U, 128U}) {
    probe.controller.read_entries = entries;
    const double given = efficiency(run(probe));
    EXPECT_GT(given, last) << entries;
    last = given;
  }
}

TEST(ExactChannel, RanksShareTheBusWithAGapBetweenThem) {
  DramProbe probe = probe_of("ddr4-3200");
  probe.pattern = DramPattern::rand;
  probe.requests = 10000;
  const double one = efficiency(run(probe));
  probe.standard.ranks = 2;  // two windows of four activates
  const double two = efficiency(run(probe));
  EXPECT_GT(two, 1.3 * one);
  EXPECT_LT(two, 1.0);
}

}  // namespace
}  // namespace archsim
