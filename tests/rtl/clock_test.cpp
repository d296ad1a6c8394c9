// The model's clock is the RTL's: a reduced set of what scripts/validate rtl runs.
#include <gtest/gtest.h>

#include "tests/fresh_kernel.h"
#include "tests/rtl_clock/rtl_clock.h"

namespace archsim {
namespace {

class RtlClock : public FreshKernel {
 protected:
  void fresh() {
    TearDown();
    SetUp();
  }
};

TEST_F(RtlClock, MatmulsTakeExactlyAsLong) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    fresh();
    const CosimResult result = run_array(seed, 100);
    ASSERT_EQ(result.problem, "");
    EXPECT_EQ(result.commands.size(), 101U);
    for (const CosimCommand& command : verdict(result).inexact_array) ADD_FAILURE() << seed << ": " << text_of(command);
  }
}

TEST_F(RtlClock, ProductsAndTheirCommands) {
  for (const ClockCase& one : clock_cases(12, 20260101, 90)) {
    fresh();
    const CosimResult result = run_product(one);
    ASSERT_EQ(result.problem, "") << one.name();
    EXPECT_TRUE(result.data_match) << one.name();
    const ClockVerdict told = verdict(result);
    EXPECT_LE(told.program_error, 0.02) << one.name();
    for (const CosimCommand& command : told.far) ADD_FAILURE() << one.name() << ": " << text_of(command);
  }
}

}  // namespace
}  // namespace archsim
