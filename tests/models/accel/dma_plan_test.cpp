#include "models/accel/timing/dma_plan.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

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
  const auto plan = planned({.memory_address = 64, .row_bytes = 80000});
  ASSERT_EQ(plan.pieces.size(), 3U);
  EXPECT_EQ(plan.pieces[1].base, 64U + 32768);
  EXPECT_EQ(plan.pieces[2].row_bytes, 80000U - 2 * 32768);
}

TEST(DmaPlan, RowsThatDoNotTouchAreGathered) {
  const auto plan = planned({.row_bytes = 1000, .rows = 80, .memory_row_pitch = 4096});
  ASSERT_EQ(plan.pieces.size(), 3U);
  EXPECT_EQ(plan.pieces[0].rows, 32U);  // 32 * 1000 <= 32768 < 33 * 1000
  EXPECT_EQ(plan.pieces[2].rows, 80U - 64);
  EXPECT_EQ(plan.pieces[2].base, 64U * 4096);
  EXPECT_EQ(plan.memory_bytes, 80U * 1000);
}

TEST(DmaPlan, PitchesMayRunBackwards) {
  const auto plan = planned({.memory_address = 1 << 20, .row_bytes = 24000, .rows = 2, .memory_row_pitch = -65536});
  ASSERT_EQ(plan.pieces.size(), 2U);
  EXPECT_EQ(plan.pieces[1].base, (1U << 20) - 65536);
}

TEST(DmaPlan, ARepeatedRowIsReadOnceAndWrittenOften) {
  const auto plan = planned({.row_bytes = 256, .rows = 10, .convert = Convert::bf16_to_fp32});
  EXPECT_EQ(plan.memory_bytes, 256U);
  EXPECT_EQ(plan.local_bytes, 10U * 512);
  EXPECT_EQ(plan.copies, 10U);
}

/// What all bursts of a command take.
std::vector<BurstBeats> bursts_of(const Dma& dma, const DmaGeometry& geometry) {
  const auto plan = planned(dma, geometry);
  std::vector<BurstBeats> bursts;
  for (const Piece& piece : plan.pieces) {
    PieceBursts of_piece(geometry, plan, piece);
    for (std::uint64_t i = of_piece.count(); i > 0; --i) bursts.push_back(of_piece.next());
  }
  return bursts;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> beats_of(const Dma& dma) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> beats;
  for (const auto& burst : bursts_of(dma, {.burst_bytes = 64, .port_bytes = 16})) {
    beats.emplace_back(burst.memory, burst.port);
  }
  return beats;
}

using Beats = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

TEST(PieceBursts, EndAtMultiplesOfTheirSize) {
  EXPECT_EQ(beats_of({.memory_address = 128, .row_bytes = 100}), (Beats{{4, 4}, {3, 3}}));
  // 100 = 14 + 64 + 22: the first 14 bytes are the end of a beat.
  EXPECT_EQ(beats_of({.memory_address = 50, .row_bytes = 100}), (Beats{{1, 1}, {4, 4}, {2, 2}}));
}

TEST(PieceBursts, EachRowStartsOneOfItsOwn) {
  // Rows at 60 and at 160: 4 + 16 bytes, and 20 bytes in one burst from a beat's start.
  EXPECT_EQ(beats_of({.memory_address = 60, .row_bytes = 20, .rows = 2, .memory_row_pitch = 100}),
            (Beats{{1, 1}, {1, 1}, {2, 2}}));
}

TEST(PieceBursts, ALocalRowsEndCutsABeat) {
  // Rows of 24 bytes, one run of 72 in memory: they end at 24, 48 and 72, of which 48 is a beat's end.
  const Dma apart{.row_bytes = 24, .rows = 3, .memory_row_pitch = 24, .local_row_pitch = 32};
  EXPECT_EQ(beats_of(apart), (Beats{{4, 4 + 1}, {1, 1}}));
  Dma touching = apart;
  touching.local_row_pitch = 24;
  EXPECT_EQ(beats_of(touching), (Beats{{4, 4}, {1, 1}}));
}

TEST(PieceBursts, RequantizingMovesAQuarterOfThePortACycle) {
  // 40 bytes from 3 on: beats of 13, 16 and 11 bytes, four bytes a cycle.
  EXPECT_EQ(beats_of({.memory_address = 3, .row_bytes = 40, .convert = Convert::requantize}), (Beats{{3, 4 + 4 + 3}}));
}

TEST(PieceBursts, ARepeatedRowTakesACycleForEachCopy) {
  EXPECT_EQ(beats_of({.row_bytes = 80, .rows = 7}), (Beats{{4, 7 * 4}, {1, 7 * 1}}));
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

/// `bursts` bursts of 512 bytes over a port of 64 bytes a nanosecond, memory without limit but its latency.
Time streamed(unsigned outstanding, std::uint64_t bursts, Time latency) {
  BurstWindow window(outstanding, 1_ns);
  const Time start = window.next_request(Time::zero());
  return window.read({.start = start,
                      .first_data = start + latency,
                      .done = start + latency,
                      .latency = latency,
                      .bytes = 512 * bursts},
                     bursts, [] { return BurstWindow::Burst{.bytes = 512, .port = 8_ns}; });
}

TEST(BurstWindow, AWindowOfBurstsALatency) {
  // 16 bursts go at once; each further one goes when the one 16 before it is back. The first 16 come back a port time apart.
  const std::uint64_t windows = 10, outstanding = 16;
  const Time latency = 500_ns, port = 8_ns;
  EXPECT_EQ(streamed(outstanding, windows * outstanding, latency),
            (latency + port) * windows + port * (outstanding - 1));
}

TEST(BurstWindow, ThePortLimitsAShortLatency) {
  const Time latency = 100_ns, port = 8_ns;
  EXPECT_EQ(streamed(16, 160, latency), latency + port * 160);
}

/// `bursts` bursts of four beats, one a nanosecond, that take `port` in the local SRAM.
Time with_port(bool is_write, std::uint64_t bursts, Time latency, Time port) {
  BurstWindow window(4, 1_ns);
  window.fetch_from(Time::zero());
  const BurstWindow::Served served{
      .start = Time::zero(), .first_data = latency, .done = latency, .latency = latency, .bytes = 64 * bursts};
  const std::vector<std::uint32_t> beats(4, static_cast<std::uint32_t>(port.value / 4000));
  const auto next = [&] { return BurstWindow::Burst{.bytes = 64, .port = port, .beats = beats}; };
  return is_write ? window.write(served, bursts, next) : window.read(served, bursts, next);
}

TEST(BurstWindow, AReadsDataWaitForASlowLocalSide) {
  EXPECT_EQ(with_port(false, 1, 100_ns, 16_ns), 100_ns + 16_ns);
  EXPECT_EQ(with_port(false, 4, 100_ns, 16_ns), 100_ns + 16_ns * 4);
  // Each window takes the latency and the longer time of its first burst; the others follow.
  EXPECT_EQ(with_port(false, 8, 100_ns, 16_ns), (100_ns + 16_ns) * 2 + 16_ns * 3);
}

TEST(BurstWindow, AWritesDataAreFetchedAhead) {
  EXPECT_EQ(with_port(true, 1, 100_ns, 16_ns), 16_ns + 100_ns);
  EXPECT_EQ(with_port(true, 4, 100_ns, 16_ns), 16_ns * 4 + 100_ns);
  // In the second window they are there when the requests are.
  EXPECT_EQ(with_port(true, 8, 100_ns, 16_ns), 16_ns * 4 + 100_ns + 4_ns + 100_ns);
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
