// The RTL's performance counters say what the model's stats and engine times say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "arch/describe/table.h"
#include "models/accel/tables.h"
#include "tests/fresh_kernel.h"
#include "tests/rtl_clock/rtl_clock.h"

namespace archsim {
namespace {

class RtlCounters : public FreshKernel {
 protected:
  void expect_alike(const CosimResult& result, const std::string& what) {
    const auto cycles = static_cast<double>(result.rtl_cycles);
    for (const CosimCounter& counter : result.counters) {
      const bool is_time = counter.name.find('.') != std::string::npos;
      // Counts are equal, times as near as the contract asks of commands.
      constexpr double kCycles = 2.0, kOfTheRun = 0.01;
      const double apart = is_time ? std::max(kCycles, kOfTheRun * cycles) : 0.0;
      EXPECT_NEAR(counter.model, counter.rtl, apart) << counter.name << " of " << what;
    }
  }
};

TEST_F(RtlCounters, OfProductsAreTheModels) {
  for (const ClockCase& one : clock_cases(12, 20260202, 90)) {
    TearDown();
    SetUp();
    const CosimResult result = run_product(one);
    ASSERT_EQ(result.problem, "") << one.name();
    constexpr std::size_t kTimes = 8;
    ASSERT_EQ(result.counters.size(), StatTable::of<SystolicStats>().entries().size() + kTimes * kEngines);
    expect_alike(result, one.name());
  }
}

TEST_F(RtlCounters, OfManyMatmulsAreTheModels) {
  for (std::uint64_t seed = 11; seed <= 13; ++seed) {
    TearDown();
    SetUp();
    const CosimResult result = run_array(seed, 60);
    ASSERT_EQ(result.problem, "");
    expect_alike(result, "seed " + std::to_string(seed));
  }
}

}  // namespace
}  // namespace archsim
