// The fast channel beside the exact one, with the default controller, on random streams. The limits say how near its closed
// forms come; docs/decisions/0017 has the table, and why the wide ones are wide.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/properties/dram/stream.h"

namespace archsim {
namespace {

struct Case {
  StreamShape shape;
  double time, rows;  // limits: of end and half time; of activates and precharges
};

const std::vector<std::string> kStandards = {"lpddr4-3200", "lpddr4-4266", "lpddr5-6400", "lpddr5x-8533",
                                             "hbm2-2000",   "hbm3-6400",   "ddr4-3200",   "ddr5-4800"};

double off(double given, double expected) { return expected == 0.0 ? given : given / expected - 1.0; }

void expect_near(const std::string& memory, const Case& wanted, std::uint64_t seed) {
  const DramStandard standard = *find_dram_standard(memory, {});
  const auto extents = random_extents(wanted.shape, ChannelTiming(standard), seed, 1 << 20);
  const PathResult exact = run_exactly(standard, extents), fast = run_fast(standard, extents);
  const std::string what = memory + " " + wanted.shape.name + " seed " + std::to_string(seed);
  const auto count = [](std::uint64_t value) { return static_cast<double>(value); };
  const double act = off(count(fast.counts.activates), count(exact.counts.activates));
  const double pre = off(count(fast.counts.precharges), count(exact.counts.precharges));
  EXPECT_LE(std::abs(off(fast.end, exact.end)), wanted.time) << what;
  EXPECT_LE(std::abs(off(fast.middle, exact.middle)), wanted.time) << what;
  EXPECT_EQ(fast.counts.reads, exact.counts.reads) << what;
  // Of two waiting writes to one address the controller writes the later.
  EXPECT_GE(fast.counts.writes, exact.counts.writes) << what;
  EXPECT_LE(count(fast.counts.writes), 1.01 * count(exact.counts.writes) + 1) << what;
  EXPECT_NEAR(count(fast.counts.refreshes), count(exact.counts.refreshes),
              1 + wanted.time * count(exact.counts.refreshes))
      << what;
  EXPECT_LE(std::abs(act), wanted.rows) << what;
  EXPECT_LE(std::abs(pre), wanted.rows) << what;
}

void expect_near_everywhere(const std::vector<Case>& cases) {
  for (const Case& wanted : cases) {
    for (const std::string& memory : kStandards) {
      for (const std::uint64_t seed : {1, 2}) expect_near(memory, wanted, seed);
    }
  }
}

TEST(FastAndExactDram, StreamsOfOneInitiatorAreWithinOnePercent) {
  expect_near_everywhere({{{.name = "reads", .bytes = 4096}, 0.01, 0.06},
                          {{.name = "writes", .bytes = 4096, .writes = 1}, 0.01, 0.06},
                          {{.name = "reads of 1 KiB", .bytes = 1024}, 0.01, 0.06}});
}

TEST(FastAndExactDram, LoadsBelowSaturationAreWithinOnePercent) {
  expect_near_everywhere(
      {{{.name = "half", .bytes = 4096, .initiators = 4, .longest = 16, .load = 0.5}, 0.01, 0.02},
       {{.name = "less of 256 B", .bytes = 256, .initiators = 4, .longest = 16, .load = 0.4}, 0.01, 0.10}});
}

TEST(FastAndExactDram, SeveralInitiators) {
  expect_near_everywhere({{{.name = "4 of 8 KiB", .bytes = 8192, .initiators = 4, .longest = 16}, 0.02, 0.04},
                          {{.name = "4 of 4 KiB", .bytes = 4096, .initiators = 4, .longest = 16}, 0.035, 0.04},
                          {{.name = "4 of 1 KiB", .bytes = 1024, .initiators = 4, .longest = 16}, 0.065, 0.05}});
}

TEST(FastAndExactDram, SmallRandomReads) {
  expect_near_everywhere({{{.name = "64 B", .bytes = 64, .initiators = 4, .longest = 1}, 0.055, 0.04},
                          {{.name = "256 B", .bytes = 256, .initiators = 4, .longest = 1}, 0.095, 0.04}});
}

TEST(FastAndExactDram, ReadsAndWrites) {
  expect_near_everywhere(
      {{{.name = "4 KiB, a tenth", .bytes = 4096, .initiators = 4, .longest = 16, .writes = 0.1}, 0.035, 0.25},
       {{.name = "64 B, a third", .bytes = 64, .initiators = 4, .longest = 1, .writes = 0.33}, 0.22, 0.15}});
}

}  // namespace
}  // namespace archsim
