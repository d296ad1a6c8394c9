// Cores of other sizes compute what the functional executor computes, and their arrays take as long as the model's.
#include <gtest/gtest.h>

#include "tests/fresh_kernel.h"
#include "tests/rtl/beside_functional.h"
#include "tests/rtl/other_cores.h"
#include "tests/rtl_clock/rtl_clock.h"

namespace archsim {
namespace {

class RtlSizes : public FreshKernel {
 protected:
  void fresh() {
    TearDown();
    SetUp();
  }
};

TEST_F(RtlSizes, RandomProgramsBitForBit) {
  for (const rtl::BuiltCore& core : rtl::other_cores()) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const RandomProgram program = random_program(
          seed,
          {.commands = 400, .scratchpad = core.params.scratchpad_bytes, .accumulator = core.params.accumulator_bytes});
      const Surroundings around{
          .latency = 5 + 30 * (seed % 3), .pauses = seed % 2 == 0 ? 0.0 : 0.2, .seed = seed, .core = &core};
      EXPECT_EQ(beside_functional(program, around), "") << rtl::parameter_text(core.params) << ", seed " << seed;
    }
  }
}

TEST_F(RtlSizes, MatmulsTakeExactlyAsLong) {
  for (const rtl::BuiltCore& core : rtl::other_cores()) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      fresh();
      CosimRequest request{.params = params_of(core), .clock = 500_MHz, .core = &core};
      request.memory = {.name = "dram", .base = 0x8000'0000, .bytes = 1 << 20};
      const CosimResult result = run_array(request, seed, 40);
      ASSERT_EQ(result.problem, "") << rtl::parameter_text(core.params);
      EXPECT_EQ(result.commands.size(), 41U);
      for (const CosimCommand& command : verdict(result).inexact_array) {
        ADD_FAILURE() << rtl::parameter_text(core.params) << ", seed " << seed << ": " << text_of(command);
      }
    }
  }
}

}  // namespace
}  // namespace archsim
