#include "models/accel/timing/dma_plan.h"

#include <gtest/gtest.h>

namespace archsim {
namespace {

DmaPlan planned(const Dma& dma, const DmaGeometry& geometry = {}) {
  DmaPlan plan;
  plan.plan(geometry, dma);
  return plan;
}

TEST(DmaPlan, RowsThatTouchAreOneRun) {
  const auto plan = planned({.memory_address = 1000,
                             .row_bytes = 512,
                             .rows = 8,
                             .planes = 2,
                             .memory_row_pitch = 512,
                             .memory_plane_pitch = 4096});
  ASSERT_EQ(plan.pieces.size(), 1U);
  EXPECT_EQ(plan.pieces[0].row_bytes, 8U * 512 * 2);
  EXPECT_EQ(plan.pieces[0].rows, 1U);
}

TEST(DmaPlan, RunsAreCutAtTheLargestPiece) {
  const auto plan = planned({.memory_address = 64, .row_bytes = 40000});
  ASSERT_EQ(plan.pieces.size(), 3U);
  EXPECT_EQ(plan.pieces[1].base, 64U + 16384);
  EXPECT_EQ(plan.pieces[2].row_bytes, 40000U - 2 * 16384);
}

TEST(DmaPlan, RowsThatDoNotTouchAreGathered) {
  const auto plan = planned({.row_bytes = 1000, .rows = 40, .memory_row_pitch = 4096});
  ASSERT_EQ(plan.pieces.size(), 3U);
  EXPECT_EQ(plan.pieces[0].rows, 16U);  // 16 * 1000 <= 16384 < 17 * 1000
  EXPECT_EQ(plan.pieces[2].rows, 40U - 32);
  EXPECT_EQ(plan.pieces[2].base, 32U * 4096);
  EXPECT_EQ(plan.memory_bytes, 40U * 1000);
}

TEST(DmaPlan, PitchesMayRunBackwards) {
  const auto plan = planned({.memory_address = 1 << 20, .row_bytes = 12000, .rows = 2, .memory_row_pitch = -65536});
  ASSERT_EQ(plan.pieces.size(), 2U);
  EXPECT_EQ(plan.pieces[1].base, (1U << 20) - 65536);
}

TEST(DmaPlan, ARepeatedRowIsReadOnceAndWrittenOften) {
  const auto plan = planned({.row_bytes = 256, .rows = 10, .convert = Convert::bf16_to_fp32});
  EXPECT_EQ(plan.memory_bytes, 256U);
  EXPECT_EQ(plan.local_bytes, 10U * 512);
  EXPECT_EQ(plan.repeat_beats, 9U * 512 / 64);
}

TEST(DmaPlan, EveryByteOnce) {
  for (const std::uint32_t row_bytes : {1U, 63U, 512U, 5000U, 20000U}) {
    for (const std::uint32_t rows : {1U, 2U, 33U}) {
      const auto plan = planned({.row_bytes = row_bytes,
                                 .rows = rows,
                                 .planes = 3,
                                 .memory_row_pitch = 32768,
                                 .memory_plane_pitch = 1 << 24});
      std::uint64_t bytes = 0;
      for (const Piece& piece : plan.pieces) {
        bytes += piece.bytes();
        EXPECT_LE(piece.bytes(), kLargestPiece);
      }
      EXPECT_EQ(bytes, 3U * rows * row_bytes);
      EXPECT_EQ(bytes, plan.memory_bytes);
    }
  }
}

TEST(DmaOccupancy, PortBeatsOfTheWiderSide) {
  const std::uint64_t beats = 8 * 4096 / 64;
  const Dma plain{.row_bytes = 4096, .rows = 8, .memory_row_pitch = 8192};
  EXPECT_EQ(dma_occupancy({}, plain).value, beats);
  Dma widening = plain;
  widening.convert = Convert::bf16_to_fp32;
  EXPECT_EQ(dma_occupancy({}, widening).value, 2 * beats);
  Dma requantizing = plain;
  requantizing.convert = Convert::requantize;
  EXPECT_EQ(dma_occupancy({}, requantizing).value, 4 * beats);
}

TEST(DmaOccupancy, ShortRowsCostABeatEachAndADescriptorItsSetUp) {
  EXPECT_EQ(dma_occupancy({}, {.row_bytes = 8, .rows = 100, .memory_row_pitch = 512}).value, 100U);
  EXPECT_EQ(dma_occupancy({}, {.row_bytes = 64}).value, 32U);
}

Time burst_time(std::uint64_t beats) { return Time(beats * 1000); }

/// `bursts` bursts of 512 bytes over a port of 64 bytes a nanosecond, memory without limit but its latency.
Time streamed(unsigned outstanding, std::uint64_t bursts, Time latency) {
  BurstWindow window(outstanding, 1_ns);
  const Time start = window.next_request(Time::zero());
  return window.transfer({.start = start, .first_data = start + latency, .done = start + latency, .latency = latency},
                         1, {.whole = bursts, .whole_time = burst_time(8)});
}

TEST(BurstWindow, AWindowOfBurstsALatency) {
  // 16 bursts go at once; each further one goes when the one 16 before it is back. The first 16 come back a port time apart.
  const std::uint64_t windows = 10, outstanding = 16;
  const Time latency = 500_ns, port = 8_ns;
  EXPECT_EQ(streamed(outstanding, windows * outstanding, latency), latency * windows + port * (outstanding - 1));
}

TEST(BurstWindow, ThePortLimitsAShortLatency) {
  const Time latency = 100_ns, port = 8_ns;
  EXPECT_EQ(streamed(16, 160, latency), latency + port * 159);
}

TEST(BurstWindow, MoreOutstandingIsNeverSlower) {
  Time before = streamed(1, 1000, 300_ns);
  for (unsigned outstanding = 2; outstanding <= 128; ++outstanding) {
    const Time now = streamed(outstanding, 1000, 300_ns);
    EXPECT_LE(now, before) << outstanding;
    before = now;
  }
}

}  // namespace
}  // namespace archsim
