#include "app/account/gap.h"

#include <gtest/gtest.h>

#include "app/account/label.h"
#include "tests/models/roofline/small_machine.h"
#include "tests/models/roofline/trace_builder.h"

namespace archsim {
namespace {

constexpr std::size_t kLoad = 0, kArray = 1;

std::map<std::string, double> named(const StageGap& gap) { return {gap.shares.begin(), gap.shares.end()}; }

OperatorRun run_of(std::uint32_t op, Time start, Time end) {
  OperatorRun run;
  run.operator_index = op;
  run.start = start;
  run.end = end;
  return run;
}

/// The load engine was never at work.
StageEnds array_ended(Time end) { return {.ends = {{0_us, end, 0_us, 0_us}}}; }

/// Stage 0: a linear of 1000 x 100 x 100 (0.1 ms of MACs at peak). Stage 1: one of 1 x 100 x 1000 (200 kB, 0.2 ms at 1 GB/s).
Trace two_stages() {
  TraceBuilder b;
  b.begin_stage(1);
  const auto y = b.linear(b.tensor(Role::input, {1000, 100}), 100);
  b.end_stage();
  b.begin_stage(1);
  b.linear(y, 1000);
  b.end_stage();
  return b.trace();
}

TEST(GapAccount, ArrayBoundStageIsItsFillAndItsWaits) {
  const auto trace = two_stages();
  auto first = run_of(0, 0_us, 180_us);
  first.array_busy = 130_us;
  first.load_busy = 60_us;
  first.waits[kArray].add(WaitReason::load, 40_us);
  first.waits[kArray].add(WaitReason::dependency, 10_us);
  first.waits[kLoad].add(WaitReason::dram, 20_us);
  auto second = run_of(1, 180_us, 480_us);
  second.load_busy = 100_us;
  second.dram_bytes = 220'000;
  second.waits[kLoad].add(WaitReason::dram, 130_us);
  second.waits[kLoad].add(WaitReason::noc, 30_us);
  second.waits[kLoad].add(WaitReason::array, 40_us);
  RunResult result;
  result.time = 480_us;
  result.operators = {first, second};
  result.stages = {{.ends = {{180_us, 180_us, 0_us, 0_us}}}, {.ends = {{480_us, 180_us, 0_us, 0_us}}}};
  BlockReport dram{.name = "dram", .kind = "dram"};
  EngineReport channel{.name = "channel0", .busy = 240_us};
  channel.waits = {{"refresh", 24_us}};
  dram.engines = {channel, channel};
  result.blocks = {dram};

  const Bound bound{.time = 300_us, .stages = {100_us, 300_us}, .operators = {}};
  const auto account = gap_account(trace, small_machine(), bound, result, {180_us, 480_us});

  const auto& compute = account.stages[0];
  EXPECT_EQ(compute.engine, "array");
  auto shares = named(compute);
  EXPECT_NEAR(shares["array_fill_drain_edges"], 130e-6 - 100e-6, 1e-12);
  EXPECT_NEAR(shares["wait_load_port"], 40e-6 * 60 / 80, 1e-12);  // as the load engine's own time was split
  EXPECT_NEAR(shares["wait_load_dram"], 40e-6 * 20 / 80, 1e-12);
  EXPECT_NEAR(shares["wait_dependency"], 10e-6, 1e-12);
  EXPECT_NEAR(compute.unaccounted_s(), 0.0, 1e-12);

  const auto& memory = account.stages[1];
  EXPECT_EQ(memory.engine, "load");
  shares = named(memory);
  const double pins = 220e-6;
  EXPECT_NEAR(shares["bytes_beyond_bound"], pins - 200e-6, 1e-12);
  EXPECT_NEAR(shares["dram_refresh"], std::min(300e-6 * 24 / 480, 100e-6 + 130e-6 - pins), 1e-12);
  EXPECT_NEAR(shares["wait_noc"], 30e-6, 1e-12);
  EXPECT_NEAR(shares["wait_array"], 40e-6, 1e-12);
  EXPECT_NEAR(memory.unaccounted_s(), 0.0, 1e-12);

  EXPECT_NEAR(account.gap_s, 180e-6, 1e-12);
  EXPECT_NEAR(account.accounted, 1.0, 1e-6);
}

TEST(GapAccount, TimeThatNobodyRecordedIsUnaccounted) {
  const auto trace = two_stages();
  auto first = run_of(0, 0_us, 200_us);
  first.array_busy = 150_us;
  RunResult result;
  result.time = 200_us;
  result.operators = {first};
  result.stages = {array_ended(200_us), array_ended(0_us)};
  const Bound bound{.time = 100_us, .stages = {100_us, 100_us}, .operators = {}};
  const auto account = gap_account(trace, small_machine(), bound, result, {200_us, 200_us});
  EXPECT_NEAR(account.stages[0].unaccounted_s(), 200e-6 - 150e-6, 1e-12);
  EXPECT_NEAR(account.accounted, 1.0 - 50.0 / 100.0, 1e-6);
}

TEST(GapAccount, WaitsThatBeganInTheStageBeforeAreToldThere) {
  const auto trace = two_stages();
  auto first = run_of(0, 0_us, 150_us);
  first.array_busy = 150_us;
  auto second = run_of(1, 150_us, 250_us);  // its array waited from 20 us on
  second.array_busy = 70_us;
  second.waits[kArray].add(WaitReason::dependency, 150_us);
  second.waits[kArray].add(WaitReason::vector, 10_us);
  RunResult result;
  result.time = 250_us;
  result.operators = {first, second};
  result.stages = {array_ended(20_us), array_ended(250_us)};
  const Bound bound{.time = 110_us, .stages = {100_us, 110_us}, .operators = {}};
  const auto account = gap_account(trace, small_machine(), bound, result, {150_us, 250_us});
  auto shares = named(account.stages[1]);
  EXPECT_NEAR(shares["wait_dependency"], 100e-6 - 70e-6 - 10e-6, 1e-12);
  EXPECT_NEAR(shares["wait_vector"], 10e-6, 1e-12);
  EXPECT_NEAR(account.stages[1].unaccounted_s(), 0.0, 1e-12);
}

TEST(GapAccount, WhatAnEngineDoesNotDoInItsStageIsTheRestOfTheStage) {
  const auto trace = two_stages();
  auto first = run_of(0, 0_us, 150_us);  // the array is done at 120 us, then its results are stored
  first.array_busy = 120_us;
  auto second = run_of(1, 150_us, 250_us);
  second.array_busy = 70_us;
  second.waits[kArray].add(WaitReason::load, 60_us);  // from 120 us on
  RunResult result;
  result.time = 250_us;
  result.operators = {first, second};
  result.stages = {array_ended(120_us), array_ended(250_us)};
  const Bound bound{.time = 110_us, .stages = {100_us, 110_us}, .operators = {}};
  const auto account = gap_account(trace, small_machine(), bound, result, {150_us, 250_us});
  EXPECT_NEAR(named(account.stages[0])["wait_rest_of_stage"], 150e-6 - 120e-6, 1e-12);
  EXPECT_NEAR(account.stages[0].unaccounted_s(), 0.0, 1e-12);
  EXPECT_NEAR(named(account.stages[1])["wait_load"], 60e-6 - 30e-6, 1e-12);
  EXPECT_NEAR(account.stages[1].unaccounted_s(), 0.0, 1e-12);
}

TEST(GapAccount, BytesThatTheBoundDoesNotCountHereAreNeverNegative) {
  const auto trace = two_stages();
  auto first = run_of(0, 0_us, 100_us);
  first.array_busy = 100_us;
  auto second = run_of(1, 100_us, 350_us);
  second.load_busy = 250_us;
  second.dram_bytes = 150'000;  // the other 50 kB were fetched under the stage before
  RunResult result;
  result.time = 350_us;
  result.operators = {first, second};
  result.stages = {array_ended(100_us), {.ends = {{350_us, 0_us, 0_us, 0_us}}}};
  const Bound bound{.time = 300_us, .stages = {100_us, 300_us}, .operators = {}};
  auto shares = named(gap_account(trace, small_machine(), bound, result, {100_us, 350_us}).stages[1]);
  EXPECT_EQ(shares.count("bytes_beyond_bound"), 0U);
  EXPECT_LE(shares["hidden_in_bound"], 150e-6 - 200e-6 + 1e-12);
}

TEST(BoundOf, NamesTheDoublingThatSavesMost) {
  const auto length = Lanes(100e6).with(Doubling::compute, 80e6).with(Doubling::dram, 70e6).with(Doubling::noc, 120e6);
  EXPECT_EQ(bound_of(length), "dram");
  EXPECT_NEAR(saving(length, Doubling::dram), (100.0 - 70.0) / 100.0, 1e-12);
  EXPECT_NEAR(saving(length, Doubling::noc), (100.0 - 120.0) / 100.0, 1e-12);
  EXPECT_EQ(bound_of(length.with(Doubling::compute, 70e6)), "compute");  // the first among equals
}

TEST(BoundOf, WhatNothingShortensIsADependency) {
  EXPECT_EQ(bound_of(Lanes(100e6).with(Doubling::launch, 99e6)), "dependency");
  EXPECT_EQ(bound_of(Lanes(0.0)), "dependency");
}

}  // namespace
}  // namespace archsim
