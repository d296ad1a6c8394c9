#include "models/sram/banked.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/fresh_kernel.h"
#include "tests/models/noc/neighbours.h"

namespace archsim {
namespace {

BankShape shape(unsigned banks, Cycles bank_cycle) { return {.banks = banks, .word = 16, .bank_cycle = bank_cycle}; }

TEST(BankTally, AStreamMovesAWordACycle) {
  BankTally tally(shape(4, 2_cycles));
  tally.add(0, 16 * 48);
  EXPECT_EQ(tally.words(), 48u);
  EXPECT_EQ(tally.cycles(), 48_cycles);
}

TEST(BankTally, WordsOfOneBankTakeABankCycleEach) {
  BankTally tally(shape(4, 3_cycles));
  for (std::uint64_t row = 0; row < 10; ++row) tally.add(row * 4 * 16, row * 4 * 16 + 16);
  EXPECT_EQ(tally.cycles(), 3_cycles * (10 - 1) + 1_cycles);
}

TEST(BankTally, UnalignedRowsTouchTheWordsThatTheyCross) {
  BankTally tally(shape(8, 1_cycles));
  tally.add(8, 8 + 16);
  EXPECT_EQ(tally.words(), 2u);
  tally.add(8, 8);
  EXPECT_EQ(tally.words(), 2u);
}

TEST(BankTally, EqualsCountingWordByWord) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 300; ++round) {
    const auto banks = static_cast<unsigned>(1 + random() % 12);
    const Cycles bank_cycle(1 + random() % 4);
    BankTally tally(shape(banks, bank_cycle));
    std::vector<std::uint64_t> load(banks, 0);
    std::uint64_t words = 0;
    const std::uint64_t pitch = random() % 500, rows = 1 + random() % 20, bytes = 1 + random() % 400;
    for (std::uint64_t row = 0; row < rows; ++row) {
      tally.add(row * pitch, row * pitch + bytes);
      for (std::uint64_t word = row * pitch / 16; word * 16 < row * pitch + bytes; ++word)
        ++load[word % banks], ++words;
    }
    const std::uint64_t most = *std::max_element(load.begin(), load.end());
    EXPECT_EQ(tally.words(), words);
    EXPECT_EQ(tally.cycles(), std::max(Cycles(words), bank_cycle * (most - 1) + 1_cycles));
  }
}

TEST(BankedSlice, ABurstEndsAfterTheLatencyAndItsWords) {
  BankedSlice slice(shape(4, 2_cycles), 5_cycles);
  BankTally burst(shape(4, 2_cycles));
  burst.add(0, 16 * 12);
  const auto first = slice.serve(100_cycles, burst, false);
  EXPECT_EQ(first.first, 100_cycles + 5_cycles);
  EXPECT_EQ(first.last, 100_cycles + 5_cycles + 12_cycles - 1_cycles);
  EXPECT_EQ(slice.serve(100_cycles, burst, false).last, first.last + 12_cycles);  // queues at the port
}

TEST(BankedSlice, ReadsAndWritesGoTogetherUntilTheBanksAreFull) {
  for (const std::uint64_t bank_cycle : {2, 4}) {  // 4 banks give two words a cycle, or one
    const BankShape banks = shape(4, Cycles(bank_cycle));
    BankTally burst(banks);
    burst.add(0, 16 * 100);
    BankedSlice slice(banks, 5_cycles);
    const auto read = slice.serve(0_cycles, burst, false), write = slice.serve(0_cycles, burst, true);
    EXPECT_EQ(write.last, read.last + (bank_cycle == 2 ? 0_cycles : 100_cycles));
  }
}

class BankedSramTest : public FreshKernel {};

TEST_F(BankedSramTest, AStandardOnlyInitiatorFindsItsBytesAgain) {
  MeshBench bench;
  bench.map.regions.push_back({.block = "l2", .kind = RegionKind::l2, .base = 4096, .size = 16 << 20});
  BankedSramParams params;
  params.slices = 1;
  BankedSram l2("l2", params, bench.context("l2", 1_GHz));
  Initiator cpu("cpu");
  cpu.port.bind(*l2.target_ports()[0]);
  MeshBench::start();
  std::vector<unsigned char> written{1, 2, 3, 4, 5}, read(5, 0);
  EXPECT_EQ(cpu.plain(8000, written, true), 1_ns * 4);  // the latency of one word
  EXPECT_EQ(cpu.plain(8000, read, false), 1_ns * 4);
  EXPECT_EQ(read, written);
  EXPECT_EQ(l2.served().read, 5u);
  std::vector<unsigned char> below(1);
  EXPECT_EQ(cpu.plain(100, below, false), Time::zero());
  ASSERT_EQ(bench.faults.told.size(), 1u);
  EXPECT_EQ(bench.faults.told[0], "bad_address: l2 was asked to read 1 bytes at 0x64, and has 16777216 at 0x1000");
}

}  // namespace
}  // namespace archsim
