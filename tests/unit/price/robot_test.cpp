#include "arch/machine/price/robot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "arch/cost/die.h"
#include "arch/machine/price/power.h"

namespace archsim {
namespace {

CostValues costs(double wafer_usd, double defects_per_cm2) {
  CostValues values;
  values.values[static_cast<std::size_t>(Cost::wafer_price)] = wafer_usd;
  values.values[static_cast<std::size_t>(Cost::defect_density)] = defects_per_cm2;
  return values;
}

TEST(Die, IsAShareOfTheWaferAndOfThoseThatWork) {
  const DieAssumptions plain{.wafer_mm = 300.0, .edge_mm = 0.0, .scribe_mm = 0.0, .defect_clustering = 4.0};
  const Die die = die_of(100.0, costs(10'000.0, 0.5), plain);
  // Sites by area, less those that the circle cuts.
  EXPECT_EQ(die.per_wafer,
            std::floor(std::numbers::pi * 150.0 * 150.0 / 100.0 - std::numbers::pi * 300.0 / std::sqrt(200.0)));
  EXPECT_DOUBLE_EQ(die.yield, std::pow(1.0 + 0.5 / 4.0, -4.0));
  EXPECT_DOUBLE_EQ(die.cost_usd, 10'000.0 / (die.per_wafer * die.yield));
}

TEST(Die, ThatFitsNoWaferHasNoPrice) {
  const Die die = die_of(100'000.0, costs(10'000.0, 0.1));
  EXPECT_EQ(die.per_wafer, 0.0);
  EXPECT_TRUE(std::isinf(die.cost_usd));
}

TEST(Die, CostsMoreThanInProportionToItsArea) {
  const CostValues cost = costs(9000.0, 0.1);
  EXPECT_GT(die_of(200.0, cost).cost_usd, 2.0 * die_of(100.0, cost).cost_usd);
}

TEST(Power, IsItsSpansAndItsBackground) {
  // 2 W all the time; 3 J within 1 s; 5 J in half a second of it.
  const PowerOverTime power = power_over_time(10.0, 2.0, {{4.0, 5.0, 3.0}, {4.5, 5.0, 5.0}});
  EXPECT_NEAR(power.average_w, 2.0 + 8.0 / 10.0, 1e-12);
  EXPECT_NEAR(power.peak_1us_w, 2.0 + 3.0 + 10.0, 1e-6);
  EXPECT_NEAR(power.peak_1ms_w, 15.0, 1e-9);
  double joules = 0.0;
  for (const double watts : power.watts) joules += watts * power.interval_s;
  EXPECT_NEAR(joules, 28.0, 1e-9);
}

TEST(Power, OverAWindowIsAMean) {
  // 1 J within 10 us: all of it in 1 ms, a tenth of it in 1 us.
  const PowerOverTime power = power_over_time(1.0, 0.0, {{0.5, 0.50001, 1.0}});
  EXPECT_NEAR(power.peak_1us_w, 1.0 / 10e-6, 1.0);
  EXPECT_NEAR(power.peak_10us_w, 1.0 / 10e-6, 1.0);
  EXPECT_NEAR(power.peak_1ms_w, 1.0 / 1e-3, 1e-6);
}

TEST(Power, OfWhatTakesNoTimeStaysWithinTheRun) {
  const PowerOverTime power = power_over_time(1e-3, 0.0, {{1e-3, 1e-3, 1.0}, {0.0, 0.0, 1.0}});
  EXPECT_NEAR(power.average_w, 2.0 / 1e-3, 1e-6);
}

Ppa priced(double time_s, double energy_j) {
  Ppa ppa;
  ppa.time_s = time_s;
  ppa.energy_j = {energy_j / 2.0, energy_j, energy_j * 2.0};
  ppa.peak_power_w = {10.0, 10.0, 10.0};
  ppa.area_mm2 = {50.0, 50.0, 50.0};
  ppa.blocks.push_back({.name = "npu",
                        .kind = "accel",
                        .energy_by_event_j = {{"leakage", 0.3 * time_s}, {"clock", 1.0}, {"standing", 0.2 * time_s}}});
  return ppa;
}

TEST(Robot, SharesARunAmongItsActions) {
  // 25 actions of 50 Hz: half a second, of which 0.1 s is inference and the rest idle.
  const RobotMetrics robot = robot_metrics(priced(0.1, 2.0), {.actions = 25, .macs = 1e12, .peak_macs_per_s = 20e12},
                                           {.control_hz = 50.0, .battery_wh = 44.0, .energy_usd_per_kwh = 0.36});
  EXPECT_DOUBLE_EQ(robot.tops_per_w, 1.0);
  EXPECT_DOUBLE_EQ(robot.peak_tops_per_w, 4.0);
  EXPECT_DOUBLE_EQ(robot.peak_tops_per_mm2, 0.8);
  EXPECT_DOUBLE_EQ(robot.energy_delay_js, 0.2);
  EXPECT_DOUBLE_EQ(robot.energy_per_action_j.nominal, 2.0 / 25.0);
  EXPECT_DOUBLE_EQ(robot.energy_per_action_j.high, 4.0 / 25.0);
  EXPECT_DOUBLE_EQ(robot.actions_per_j, 12.5);
  EXPECT_DOUBLE_EQ(robot.busy_share, 0.2);
  EXPECT_DOUBLE_EQ(robot.idle_w, 0.5);
  EXPECT_DOUBLE_EQ(robot.control_power_w.nominal, (2.0 + 0.4 * 0.5) / 0.5);
  EXPECT_DOUBLE_EQ(robot.battery_h, 44.0 / 4.4);
  EXPECT_DOUBLE_EQ(robot.usd_per_million_actions, 1e6 * 4.4 * 0.02 / 3.6e6 * 0.36);
}

TEST(Robot, ThatDoesNotKeepUpActsAsOftenAsItCan) {
  const RobotMetrics robot = robot_metrics(priced(2.0, 4.0), {.actions = 50, .macs = 1e12, .peak_macs_per_s = 1e12},
                                           {.control_hz = 50.0, .battery_wh = 10.0, .energy_usd_per_kwh = 0.0});
  EXPECT_DOUBLE_EQ(robot.busy_share, 2.0);
  EXPECT_DOUBLE_EQ(robot.control_power_w.nominal, 2.0);
  EXPECT_DOUBLE_EQ(robot.battery_h, 5.0);
}

TEST(Robot, PaysTheDieOverItsLife) {
  Ppa ppa = priced(0.1, 2.0);
  ppa.die = DieCost{.cost_usd = {36.0, 36.0, 36.0}};
  const RobotMetrics robot = robot_metrics(ppa, {.actions = 5, .macs = 1.0, .peak_macs_per_s = 1.0},
                                           {.control_hz = 50.0, .lifetime_h = 10'000.0, .energy_usd_per_kwh = 0.0});
  // 50 actions a second for 3.6e7 s.
  EXPECT_NEAR(robot.usd_per_million_actions, 36.0 / (50.0 * 3.6e7) * 1e6, 1e-9);
}

TEST(Robot, WithoutActionsHasOnlyWhatIsKnown) {
  const RobotMetrics robot = robot_metrics(priced(0.1, 2.0), {.actions = 0, .macs = 1e12, .peak_macs_per_s = 1e12});
  EXPECT_GT(robot.tops_per_w, 0.0);
  EXPECT_EQ(robot.battery_h, 0.0);
}

}  // namespace
}  // namespace archsim
