// Classes of priority: a packet of the highest one takes what it takes on an idle network, whatever the lower ones do.
#include <gtest/gtest.h>

#include <random>

#include "models/noc/detailed/network.h"
#include "models/noc/links.h"

namespace archsim {
namespace {

struct Load {
  unsigned delivered = 0;       // packets of the low class
  std::uint64_t latencies = 0;  // of the high one, beyond the idle network's
  unsigned high = 0;
};

/// Every endpoint sends packets of 8 flits to random others whenever it can; every 50 cycles one sends a packet of the high class.
Load run(Router router, unsigned classes, std::uint64_t cycles, bool has_high = true) {
  const NocPaths paths({.columns = 4, .rows = 4, .router = router});
  DetailedNetwork network(paths.graph(), paths.routes(), {.vcs = 4, .router = router, .classes = classes});
  std::mt19937 random(3);
  Load load;
  for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
    network.receive();
    for (const auto& packet : network.delivered()) {
      if (packet.flits == 8) {
        ++load.delivered;
        continue;
      }
      const Cycles idle = paths.idle_latency(paths.between(packet.source, packet.destination), packet.flits);
      load.latencies += packet.arrived - packet.created - idle.value;
      ++load.high;
    }
    const std::uint32_t sender = random() % 16;
    if (has_high && cycle % 50 == 0 && network.is_free(sender, classes - 1)) {
      network.offer({.source = sender,
                     .destination = static_cast<std::uint32_t>(random() % 16),
                     .flits = 5,
                     .created = cycle,
                     .priority = classes - 1});
    }
    for (std::uint32_t source = 0; source < 16; ++source) {
      if (!network.is_free(source)) continue;
      network.offer({.source = source, .destination = static_cast<std::uint32_t>(random() % 16), .flits = 8});
    }
    network.advance();
  }
  return load;
}

TEST(Priority, TheHighestClassTakesWhatAnIdleNetworkTakesBesideSaturationByLowerOnes) {
  for (const Router router : {Router::r2, Router::r4}) {
    const Load two = run(router, 2, 20'000);
    EXPECT_GT(two.high, 380u);
    EXPECT_EQ(two.latencies, 0u);
    // Of one class they wait as all do.
    const Load one = run(router, 1, 20'000);
    EXPECT_GT(one.latencies, 20u * one.high);
  }
}

TEST(Priority, WhatIsLeftGoesToTheLowerClass) {
  const Load alone = run(Router::r2, 2, 20'000, false), beside = run(Router::r2, 2, 20'000);
  EXPECT_LT(beside.delivered, alone.delivered);
  EXPECT_GT(beside.delivered, 0.97 * alone.delivered);  // one packet in 50 cycles among 16 that always send
}

TEST(Priority, TheSameHoldsForTheFastNetwork) {
  for (const Router router : {Router::r2, Router::r4}) {
    const NocShape shape{.columns = 4, .rows = 4, .router = router};
    NocLinks links(shape, 2), alone({.columns = 4, .rows = 4, .router = router, .vcs = 2});
    std::mt19937 random(3);
    Cycles sum(0), sum_alone(0);  // of when low packets arrive
    for (std::uint64_t cycle = 0; cycle < 2000; ++cycle) {
      links.drop_before(Cycles(cycle));
      const FlitStream low{Cycles(cycle), Cycles(cycle), 8};
      const Route way = links.paths().between(random() % 16, random() % 16);
      for (unsigned i = 0; i < 3; ++i) {
        sum += links.carry_packet(way, low).last;
        sum_alone += alone.carry_packet(way, low).last;
      }
      if (cycle % 50 != 0) continue;
      const Route own = links.paths().between(random() % 16, random() % 16);
      for (const bool is_train : {false, true}) {
        const FlitStream high{Cycles(cycle + 20U * is_train), Cycles(cycle + 20U * is_train), 5};
        const FlitStream arrival = is_train ? links.carry(own, high, 1) : links.carry_packet(own, high, 1);
        EXPECT_EQ(arrival.last, high.first + links.paths().idle_latency(own, 5));
      }
    }
    EXPECT_GT(sum, sum_alone);  // the low class bears it
    EXPECT_FALSE(links.leak());
  }
}

TEST(Priority, EqualPacketsOfTheHighClassShareAsAlone) {
  const NocShape shape{.columns = 2, .rows = 1, .vcs = 4};
  NocLinks both(shape, 2), alone({.columns = 2, .rows = 1, .vcs = 2});
  const Route way = both.paths().between(0, 1);
  for (unsigned i = 0; i < 50; ++i) {
    both.carry_packet(way, {Cycles(i), Cycles(i), 6});
    EXPECT_EQ(both.carry_packet(way, {Cycles(i * 2), Cycles(i * 2), 4}, 1).last,
              alone.carry_packet(way, {Cycles(i * 2), Cycles(i * 2), 4}).last);
  }
}

}  // namespace
}  // namespace archsim
