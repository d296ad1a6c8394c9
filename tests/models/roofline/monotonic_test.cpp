// What the bound must never do, over random small workloads.
#include <gtest/gtest.h>

#include <algorithm>

#include "models/roofline/bound.h"
#include "models/roofline/peaks.h"
#include "tests/models/roofline/random_trace.h"
#include "tests/models/roofline/small_machine.h"

namespace archsim {
namespace {

constexpr unsigned kTraces = 200;

void expect_nowhere_later(const Bound& better, const Bound& base, unsigned seed) {
  // Both are rounded down by one part in a billion.
  const auto limit = [](Time time) { return time.value + time.value / 100'000'000 + 1; };
  EXPECT_LE(better.time.value, limit(base.time)) << "seed " << seed;
  ASSERT_EQ(better.operators.size(), base.operators.size());
  for (std::size_t i = 0; i < base.operators.size(); ++i) {
    ASSERT_LE(better.operators[i].end.value, limit(base.operators[i].end)) << "seed " << seed << " instance " << i;
  }
}

void leave(MachineView&) {}

template <class Improve, class Prepare>
void expect_no_harm(Improve improve, Prepare prepare) {
  unsigned helped = 0;
  for (unsigned seed = 0; seed < kTraces; ++seed) {
    std::mt19937 random(seed);
    const auto trace = random_trace(random);
    auto machine = small_machine();
    machine.accelerators.push_back(machine.accelerators[0]);
    prepare(machine);
    const auto base = bound(trace, machine);
    improve(machine);
    const auto better = bound(trace, machine);
    expect_nowhere_later(better, base, seed);
    helped += better.time < base.time ? 1 : 0;
  }
  EXPECT_GT(helped, 0U);
}

TEST(BoundMonotonic, MoreBandwidthIsNotSlower) {
  expect_no_harm([](MachineView& machine) { machine.dram.peak.value *= 2; }, leave);
}

TEST(BoundMonotonic, MoreRowsAreNotSlower) {
  expect_no_harm(
      [](MachineView& machine) {
        for (auto& accelerator : machine.accelerators) accelerator.rows *= 2;
      },
      [](MachineView& machine) { machine.dram.peak.value = 100e9; });
}

TEST(BoundMonotonic, MoreScratchpadIsNotSlower) {
  expect_no_harm(
      [](MachineView& machine) {
        for (auto& accelerator : machine.accelerators) accelerator.scratchpad += 4_KiB;
      },
      leave);
}

TEST(BoundMonotonic, MoreLanesAreNotSlower) {
  expect_no_harm(
      [](MachineView& machine) {
        for (auto& accelerator : machine.accelerators) accelerator.vector_lanes *= 4;
      },
      [](MachineView& machine) {
        machine.dram.peak.value = 100e9;
        for (auto& accelerator : machine.accelerators) accelerator.vector_lanes = 1;
      });
}

TEST(BoundMonotonic, AnotherAcceleratorIsNotSlower) {
  expect_no_harm([](MachineView& machine) { machine.accelerators.push_back(machine.accelerators[0]); }, leave);
}

TEST(BoundMonotonic, WholeIsNotBelowItsPartsNorItsResources) {
  for (unsigned seed = 0; seed < kTraces; ++seed) {
    std::mt19937 random(seed);
    const auto trace = random_trace(random);
    const auto machine = small_machine();
    const auto found = bound(trace, machine);
    const auto where = positions(trace);
    const auto peaks = operator_peaks(trace, machine);
    double array_s = 0.0, vector_s = 0.0;
    for (std::size_t i = 0; i < peaks.size(); ++i) {
      array_s += peaks[i].compute_s * static_cast<double>(where[i].instances);
      vector_s += peaks[i].vector_s * static_cast<double>(where[i].instances);
    }
    EXPECT_GE(seconds(found.time), (1 - 1e-8) * std::max(array_s, vector_s)) << "seed " << seed;
    for (const auto stage : found.stages) EXPECT_LE(stage, found.time);
    for (const auto& op : found.operators) {
      EXPECT_LE(op.end, found.stages[where[op.operator_index].stage]) << "seed " << seed;
      EXPECT_GE(seconds(op.end), (1 - 1e-8) * peaks[op.operator_index].compute_s) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace archsim
