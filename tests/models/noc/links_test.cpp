#include "models/noc/links.h"

#include <gtest/gtest.h>

#include <random>

#include "models/noc/packets.h"

namespace archsim {
namespace {

// h hops of router and link, injection register and link, and one cycle for each further flit.
TEST(NocLinks, AnIdleMeshHasTheClosedFormsLatency) {
  for (const Router router : {Router::r2, Router::r4}) {
    const NocShape shape{.columns = 5, .rows = 4, .router = router};
    const NocPaths paths(shape);
    for (unsigned from = 0; from < shape.tiles(); ++from) {
      for (unsigned to = 0; to < shape.tiles(); ++to) {
        const Route route = paths.between(from, to);
        const auto distance = [](unsigned a, unsigned b) { return a > b ? a - b : b - a; };
        const std::uint64_t h = 1 + distance(from % 5, to % 5) + distance(from / 5, to / 5);
        ASSERT_EQ(hops_of(route.size()), h);
        for (const std::uint64_t flits : {1, 2, 9, 65}) {
          NocLinks links(shape);
          const std::uint64_t t0 = router == Router::r4 ? 5 * h + 2 + (flits - 1) : 3 * h + 2 + (flits - 1);
          EXPECT_EQ(links.carry(route, {10_cycles, 10_cycles, flits}).last, Cycles(10 + t0));
          EXPECT_EQ(idle_packet_latency(router, h, flits), Cycles(t0));
          NocLinks others(shape);
          EXPECT_EQ(others.carry_express(route, {10_cycles, 10_cycles, flits}).last, Cycles(10 + t0));
          NocLinks single(shape);
          EXPECT_EQ(single.carry_packet(route, {10_cycles, 10_cycles, flits}).last, Cycles(10 + t0));
          EXPECT_EQ(single.waited(), 0_cycles);
        }
      }
    }
  }
}

TEST(NocLinks, APacketBehindAnotherWaitsForItOnce) {
  const NocShape shape{.columns = 4, .rows = 1};
  NocLinks links(shape);
  const Route route = links.paths().between(0, 3);
  const auto first = links.carry(route, {0_cycles, 0_cycles, 9});
  const auto second = links.carry(route, {0_cycles, 0_cycles, 9});
  EXPECT_EQ(second.last, first.last + 9_cycles);
  EXPECT_EQ(links.waited(), 9_cycles);
  // Crossing only in the middle, and later: nothing to wait for.
  const auto other = links.carry(links.paths().between(1, 2), {100_cycles, 100_cycles, 9});
  EXPECT_EQ(other.last, 100_cycles + idle_packet_latency(shape.router, 2, 9));
}

TEST(NocLinks, ASingleFlitWaitsForNobodyAndTakesItsTime) {
  const NocShape shape{.columns = 2, .rows = 1};
  NocLinks links(shape);
  const Route route = links.paths().between(0, 1);
  const auto data = links.carry(route, {0_cycles, 0_cycles, 100});
  EXPECT_EQ(links.carry_express(route, {5_cycles, 5_cycles, 1}).last,
            5_cycles + idle_packet_latency(shape.router, 2, 1));
  EXPECT_EQ(links.carry(route, {0_cycles, 0_cycles, 100}).last, data.last + 1_cycles + 100_cycles);
  EXPECT_EQ(links.busiest(LinkDirection::injection), 201_cycles);
  EXPECT_EQ(links.busiest(LinkDirection::west), 0_cycles);
}

TEST(NocLinks, UniformTrafficLoadsTheMiddleOfARow) {
  const NocShape shape{.columns = 8, .rows = 2};
  std::vector<unsigned> top, bottom;
  for (unsigned column = 0; column < 8; ++column) {
    top.push_back(shape.tile_at(column, 0));
    bottom.push_back(shape.tile_at(column, 1));
  }
  // 4 of 8 sources send through the middle of the row to 4 of 8 sinks: 16 of 64 pairs.
  EXPECT_DOUBLE_EQ(most_loaded_share(NocPaths(shape), bottom, top), 16.0 / 64);
}

TEST(Packets, TrainsInClosedFormEqualCuttingThePieces) {
  std::mt19937_64 random(13);
  for (int round = 0; round < 500; ++round) {
    const Dealing dealing(64u << random() % 6, 1u << random() % 4);
    const Rows rows{.base = random() % 10000,
                    .bytes = 1 + random() % (round % 2 == 0 ? 300 : 20000),
                    .count = 1 + random() % 5,
                    .pitch = random() % 30000};
    const std::uint64_t burst = 64u << random() % 4, flit = 8u << random() % 4;
    std::vector<Train> trains;
    count_trains(rows, dealing, burst, flit, trains);
    for (unsigned way = 0; way < dealing.ways(); ++way) {
      Train expected;
      for (std::uint64_t row = 0; row < rows.count; ++row) {
        const std::uint64_t first = rows.base + row * rows.pitch;
        dealing.for_each_piece(first, first + rows.bytes, way, [&](std::uint64_t from, std::uint64_t to) {
          if (expected.bytes == 0) expected.first_address = from, expected.first_bytes = to - from;
          for (std::uint64_t at = from; at < to; at += burst) {
            const std::uint64_t bytes = std::min(burst, to - at);
            expected.bytes += bytes;
            expected.packets += 1;
            expected.payload_flits += ceil_div(bytes, flit);
          }
        });
      }
      EXPECT_EQ(trains[way].bytes, expected.bytes);
      EXPECT_EQ(trains[way].packets, expected.packets);
      EXPECT_EQ(trains[way].payload_flits, expected.payload_flits);
      EXPECT_EQ(trains[way].first_address, expected.first_address);
      EXPECT_EQ(trains[way].first_bytes, expected.first_bytes);
    }
  }
}

}  // namespace
}  // namespace archsim
