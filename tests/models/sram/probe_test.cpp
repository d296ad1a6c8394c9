// The SRAM alone, beside what can be said in closed form.
#include "models/sram/probe/probe.h"

#include <gtest/gtest.h>

namespace archsim {
namespace {

constexpr SramPattern kSequential{.kind = SramPattern::Kind::seq};
constexpr SramPattern kRandom{.kind = SramPattern::Kind::rand};

SramPattern stride(std::uint64_t bytes) { return {.kind = SramPattern::Kind::stride, .stride = bytes}; }

/// Words a cycle, but for the latency of the last one.
double words_a_cycle(const SramProbe& probe, const SramPattern& pattern) {
  return probe_sram(probe, pattern).bandwidth_bytes_per_s / static_cast<double>(probe.port_width.value) /
         static_cast<double>(probe.clock.value);
}

TEST(SramProbe, OneRequesterGetsAWordACycle) {
  const SramProbe probe;
  const auto result = probe_sram(probe, kSequential);
  EXPECT_EQ(result.cycles, probe.requests - 1 + probe.latency.value);
  EXPECT_EQ(result.conflicts, 0U);
  EXPECT_DOUBLE_EQ(result.latency_avg_s, 4e-9);
  EXPECT_EQ(result.reads, probe.requests);
}

TEST(SramProbe, AStrideOfAllBanksIsABanksOwnRate) {
  SramProbe probe;
  probe.bank_cycle = 3_cycles;
  const auto result = probe_sram(probe, stride(64 * probe.banks));
  EXPECT_EQ(result.cycles, (probe.requests - 1) * 3 + probe.latency.value);
  EXPECT_EQ(result.conflicts, (probe.requests - 1) * 2);
}

TEST(SramProbe, AStrideMeetsBanksOverTheirCommonDivisor) {
  SramProbe probe;
  probe.banks = 12;
  probe.capacity = Bytes(64 * 12 * 1000);
  probe.bank_cycle = 6_cycles;
  EXPECT_NEAR(words_a_cycle(probe, stride(64 * 8)), 3.0 / 6, 0.001);  // gcd(8, 12) = 4: three banks
  EXPECT_NEAR(words_a_cycle(probe, stride(64 * 5)), 1.0, 0.001);
}

TEST(SramProbe, AWriteIsDoneWhenItIsTaken) {
  SramProbe probe;
  probe.access = SramAccess::w;
  EXPECT_DOUBLE_EQ(probe_sram(probe, kSequential).latency_avg_s, 1e-9);
  probe.access = SramAccess::mix;
  const auto mixed = probe_sram(probe, kSequential);
  EXPECT_EQ(mixed.writes, probe.requests / 3);
  EXPECT_EQ(mixed.reads + mixed.writes, probe.requests);
}

/// Two at two banks: both are served if they ask for different ones, as half of the time; one who was turned away asks for
/// the same again, and the other for either. So 1.5 words a cycle (a Markov chain of one state).
TEST(SramProbe, TwoRandomRequestersAtTwoBanks) {
  SramProbe probe;
  probe.banks = 2;
  probe.requesters = 2;
  probe.bank_cycle = 1_cycles;
  probe.requests = 400000;
  EXPECT_NEAR(words_a_cycle(probe, kRandom), 1.5, 0.01);
}

/// A bank of `bank_cycle` c that is never idle serves 1/c words a cycle: many requesters come near that.
TEST(SramProbe, ManyRequestersFillTheBanks) {
  SramProbe probe;
  probe.requesters = 256;
  probe.requests = 200000;
  const double most = probe.banks / 2.0;
  EXPECT_LE(words_a_cycle(probe, kRandom), most);
  EXPECT_GE(words_a_cycle(probe, kRandom), 0.97 * most);
}

TEST(SramProbe, EveryRequesterHasItsTurn) {
  SramProbe probe;
  probe.requesters = 4;
  probe.banks = 1;
  probe.bank_cycle = 1_cycles;
  probe.requests = 4000;
  // One word a cycle: each waits for three others.
  EXPECT_NEAR(probe_sram(probe, kSequential).latency_avg_s, (3 + 4) * 1e-9, 0.01e-9);
}

TEST(SramProbe, TheSameSeedIsTheSameRun) {
  SramProbe probe;
  probe.requesters = 3;
  const auto once = probe_sram(probe, kRandom), again = probe_sram(probe, kRandom);
  EXPECT_EQ(once.conflicts, again.conflicts);
  probe.seed = 2;
  EXPECT_NE(once.conflicts, probe_sram(probe, kRandom).conflicts);
}

}  // namespace
}  // namespace archsim
