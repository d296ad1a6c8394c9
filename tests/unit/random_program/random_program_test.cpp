#include "tests/random_program/random_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "arch/program/check/check.h"
#include "arch/program/encoding.h"
#include "arch/program/functional/machine.h"

namespace archsim {
namespace {

using testing::IsEmpty;

std::vector<std::byte> memory_after(const RandomProgram& random, std::uint64_t order_seed) {
  const Trace none;
  FunctionalMachine machine(none, random.program, random.limits);
  const std::uint64_t base = random.limits.memories.front().base;
  machine.memory().write(base, random.memory);
  const FunctionalResult result = machine.run(order_seed);
  EXPECT_TRUE(result.finished) << result.report;
  std::vector<std::byte> memory(random.memory.size());
  machine.memory().read(base, memory);
  return memory;
}

TEST(RandomProgram, IsLegal) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RandomProgram random = random_program(seed);
    EXPECT_THAT(check_program(random.program, random.limits), IsEmpty()) << "seed " << seed;
  }
}

TEST(RandomProgram, HazardsAreCoveredSoThatEveryOrderGivesTheSameBytes) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const RandomProgram random = random_program(seed, {.commands = 400});
    const auto expected = memory_after(random, 1);
    for (std::uint64_t order = 2; order <= 6; ++order) {
      EXPECT_EQ(memory_after(random, order), expected) << "seed " << seed << ", order " << order;
    }
    EXPECT_NE(expected, random.memory) << "it stores nothing";
  }
}

TEST(RandomProgram, HasEveryKindOfCommand) {
  std::set<std::string> kinds;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const RandomProgram random = random_program(seed);
    for (const auto& stream : random.program.accelerators.front().stream) {
      for (const Command& command : stream) kinds.insert(std::string(opcode_name(command)));
    }
  }
  EXPECT_EQ(kinds, (std::set<std::string>{"halt", "loop_begin", "stride", "end_loop", "wait_semaphore", "signal", "dma",
                                          "matmul"}));
}

}  // namespace
}  // namespace archsim
