// The channel that keeps the controller's order beside the exact one, on random streams of every standard. docs/decisions/0020 has
// the table.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/properties/dram/stream.h"

namespace archsim {
namespace {

constexpr double kTime = 0.01, kAnswers = 0.015;

double off(double given, double expected) { return std::abs(given / expected - 1.0); }

void expect_near(const StreamShape& shape, double rows) {
  for (const std::string memory : {"lpddr4-3200", "lpddr4-4266", "lpddr5-6400", "lpddr5x-8533", "hbm2-2000",
                                   "hbm3-6400", "ddr4-3200", "ddr5-4800"}) {
    const DramStandard standard = *find_dram_standard(memory, {});
    for (const std::uint64_t seed : {1, 2}) {
      const auto extents = random_extents(shape, ChannelTiming(standard), seed, 1 << 20);
      const PathResult exact = run_exactly(standard, extents), ordered = run_in_order(standard, extents);
      const std::string what = memory + " " + shape.name + " seed " + std::to_string(seed);
      const auto count = [](std::uint64_t value) { return static_cast<double>(value); };
      EXPECT_LE(off(ordered.drained, exact.drained), kTime) << what;
      EXPECT_LE(off(ordered.answered, exact.answered), kAnswers) << what;
      EXPECT_EQ(ordered.counts.reads, exact.counts.reads) << what;
      // Of two waiting writes to one address the controller writes the later.
      EXPECT_GE(ordered.counts.writes, exact.counts.writes) << what;
      EXPECT_LE(count(ordered.counts.writes), 1.01 * count(exact.counts.writes) + 1) << what;
      EXPECT_NEAR(count(ordered.counts.refreshes), count(exact.counts.refreshes),
                  1 + kTime * count(exact.counts.refreshes))
          << what;
      EXPECT_LE(off(count(ordered.counts.activates), count(exact.counts.activates)), rows) << what;
      EXPECT_LE(off(count(ordered.counts.precharges), count(exact.counts.precharges)), rows) << what;
    }
  }
}

TEST(OrderedAndExactDram, StreamsOfOneInitiator) {
  expect_near({.name = "reads", .bytes = 4096}, 0.04);
  expect_near({.name = "writes", .bytes = 4096, .writes = 1}, 0.04);
  expect_near({.name = "reads of 1 KiB", .bytes = 1024}, 0.04);
}

TEST(OrderedAndExactDram, LoadsBelowSaturation) {
  expect_near({.name = "half", .bytes = 4096, .initiators = 4, .longest = 16, .load = 0.5}, 0.02);
  expect_near({.name = "less of 256 B", .bytes = 256, .initiators = 4, .longest = 16, .load = 0.4}, 0.02);
}

TEST(OrderedAndExactDram, SeveralInitiators) {
  for (const std::uint64_t bytes : {8192, 4096, 2048, 1024, 256}) {
    expect_near({.name = "4 of " + std::to_string(bytes), .bytes = bytes, .initiators = 4, .longest = 16}, 0.03);
  }
}

TEST(OrderedAndExactDram, SmallRandomReads) {
  for (const std::uint64_t bytes : {512, 256, 64}) {
    expect_near({.name = "random " + std::to_string(bytes), .bytes = bytes, .initiators = 4, .longest = 1}, 0.01);
  }
}

TEST(OrderedAndExactDram, ReadsAndWrites) {
  expect_near({.name = "4 KiB, a tenth", .bytes = 4096, .initiators = 4, .longest = 16, .writes = 0.1}, 0.04);
  expect_near({.name = "256 B, a third", .bytes = 256, .initiators = 4, .longest = 16, .writes = 0.33}, 0.02);
  expect_near({.name = "64 B, a third", .bytes = 64, .initiators = 4, .longest = 1, .writes = 0.33}, 0.01);
}

TEST(OrderedAndExactDram, TheWindowIsThatOfTheDefaultController) {
  const ControllerParams controller = *find_controller("default");
  EXPECT_EQ(controller.read_entries, WindowParams::kEntries);
  EXPECT_EQ(controller.write_entries, WindowParams::kEntries);
  EXPECT_EQ(controller.row_hit_cap, WindowParams::kRowHitCap);
  EXPECT_EQ(controller.write_high, WindowParams::kWriteHigh);
  EXPECT_EQ(controller.write_low, WindowParams::kWriteLow);
  EXPECT_TRUE(controller.prefers_row_hits);
  EXPECT_EQ(controller.page, PagePolicy::open);
}

}  // namespace
}  // namespace archsim
