#include "arch/program/functional/machine.h"

#include <gmock/gmock.h>

#include "tests/unit/program/lab.h"

namespace archsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t kSeeds = 20;

enum class Missing { nothing, read_after_write, write_after_read, write_after_write };

/// Two tiles through one buffer: load a tile, double it on the vector unit into another buffer, store that.
Lab double_buffered_by_one(Missing missing) {
  Lab lab;
  lab.put<float>(Lab::kDram, {1, 2, 3, 4});
  const auto in = LocalAddress::scratchpad(0);
  const auto out = LocalAddress::scratchpad(64);
  const Vector twice{.function = VectorFunction::scale,
                     .rows = 1,
                     .columns = 2,
                     .source = {{{.address = in, .dtype = Dtype::fp32}}},
                     .destination = {.address = out, .dtype = Dtype::fp32},
                     .parameter0 = 2};
  for (std::uint32_t tile = 0; tile < 2; ++tile) {
    lab.add(Engine::load, piece(Lab::kDram + tile * 8, in, 8),
            {0, 0, missing == Missing::write_after_read ? 0 : tile, 0});
    lab.add(
        Engine::vector, twice,
        {missing == Missing::read_after_write ? 0 : tile + 1, 0, 0, missing == Missing::write_after_write ? 0 : tile});
    lab.add(Engine::store, piece(Lab::kL2 + tile * 8, out, 8), {0, 0, tile + 1, 0});
  }
  lab.end_streams();
  return lab;
}

/// The orders of 20 seeds in which the result is not 2, 4, 6, 8.
int wrong_orders(Missing missing) {
  int wrong = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Lab lab = double_buffered_by_one(missing);
    EXPECT_TRUE(lab.run(seed).finished);
    if (lab.get<float>(Lab::kL2, 4) != std::vector<float>{2, 4, 6, 8}) ++wrong;
  }
  return wrong;
}

TEST(FunctionalMachine, ACompleteProgramIsRightInEveryOrder) {
  EXPECT_THAT(
      check_program(double_buffered_by_one(Missing::nothing).program, double_buffered_by_one(Missing::nothing).limits),
      IsEmpty());
  EXPECT_EQ(wrong_orders(Missing::nothing), 0);
}

TEST(FunctionalMachine, AMissingDependencyGivesWrongNumbersForSomeOrder) {
  EXPECT_GT(wrong_orders(Missing::read_after_write), 0);
  EXPECT_GT(wrong_orders(Missing::write_after_read), 0);
  EXPECT_GT(wrong_orders(Missing::write_after_write), 0);
}

/// npu0 stores a byte that npu1 loads; `host_count` of the host's signals are waited for before.
Lab handed_over(bool with_wait) {
  Lab lab(2);
  lab.put<std::uint8_t>(Lab::kDram, {42});
  lab.add(Engine::load, piece(Lab::kDram, LocalAddress::scratchpad(0), 1));
  lab.add(Engine::store, piece(Lab::kL2, LocalAddress::scratchpad(0), 1), {1, 0, 0, 0});
  lab.add(Engine::store, Signal{.semaphore = 0, .first = 0, .count = 2, .to_host = true});
  if (with_wait) lab.add(Engine::load, WaitSemaphore{.semaphore = 0, .value = Lab::after(1)}, {}, 1);
  lab.add(Engine::load, piece(Lab::kL2, LocalAddress::scratchpad(8), 1), {}, 1);
  lab.add(Engine::store, piece(Lab::kL2 + 1, LocalAddress::scratchpad(8), 1), {1, 0, 0, 0}, 1);
  lab.end_streams();
  return lab;
}

TEST(FunctionalMachine, SemaphoresOrderAccelerators) {
  int wrong = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Lab good = handed_over(true);
    EXPECT_THAT(check_program(good.program, good.limits), IsEmpty());
    ASSERT_TRUE(good.run(seed).finished);
    EXPECT_THAT(good.get<std::uint8_t>(Lab::kL2 + 1, 1), ElementsAre(42));
    Lab bad = handed_over(false);
    ASSERT_TRUE(bad.run(seed).finished);
    if (bad.get<std::uint8_t>(Lab::kL2 + 1, 1)[0] != 42) ++wrong;
  }
  EXPECT_GT(wrong, 0);
}

TEST(FunctionalMachine, ADeadlockSaysWhoWaitsForWhom) {
  Lab lab(2);
  lab.trace.operators = {{.name = "up"}, {.name = "down"}};
  lab.add(Engine::array, Matmul{}, {3, 0, 0, 0});
  lab.stream(Engine::array).back().tag = 1;
  lab.add(Engine::load, WaitSemaphore{.semaphore = 0, .value = Lab::after(41)}, {}, 1);
  lab.program.host.push_back({.payload = WaitSemaphore{.semaphore = 1, .value = Lab::after(1)}});
  lab.end_streams();
  const auto result = lab.run();
  EXPECT_FALSE(result.finished);
  EXPECT_EQ(result.report,
            "npu0.array waits at command 0 (down): for command 3 of npu0.load, which has completed 0\n"
            "npu1.load waits at command 0: for operator 41 of npu0, which has completed 0\n"
            "host waits at command 0: for operator 1 of npu1, which has completed 0\n");
}

TEST(FunctionalMachine, AnAccessOutsideMemoryIsReported) {
  Lab lab;
  lab.add(Engine::load, piece(0x10, LocalAddress::scratchpad(0), 4));
  lab.end_streams();
  const auto result = lab.run();
  EXPECT_FALSE(result.finished);
  EXPECT_THAT(result.report, HasSubstr("npu0.load: dma memory_address=0x10"));
  EXPECT_THAT(result.report, HasSubstr("4 bytes at 0x10 lie in no memory"));
}

TEST(FunctionalMachine, TheSameSeedGivesTheSameRun) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Lab a = double_buffered_by_one(Missing::read_after_write);
    Lab b = double_buffered_by_one(Missing::read_after_write);
    a.run(seed);
    b.run(seed);
    EXPECT_EQ(a.get<std::uint32_t>(Lab::kL2, 4), b.get<std::uint32_t>(Lab::kL2, 4));
  }
}

}  // namespace
}  // namespace archsim
