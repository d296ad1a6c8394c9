#include "models/noc/probe/traffic.h"

#include <gtest/gtest.h>

namespace archsim {
namespace {

/// The first number of the run of 1009 that has `runs` runs before it: 100 of each are used.
template <class Kind>
auto first_of_run(unsigned runs) {
  LaggedFibonacci<Kind> numbers(310952);
  for (unsigned i = 0; i < 100 * runs; ++i) numbers.next();
  return numbers.next();
}

// Both values are printed beside the algorithms, for the seed 310952.
TEST(LaggedFibonacci, GivesKnuthsTestValues) {
  EXPECT_EQ(first_of_run<LaggedIntegers>(2009), 995235265U);
  EXPECT_DOUBLE_EQ(first_of_run<LaggedFractions>(2009), 0.36410514377569680455);
}

TEST(NocTraffic, GoesWhereItsPatternSays) {
  constexpr unsigned kPackets = 100'000;
  const auto count = [&](NocPattern pattern, std::uint32_t source) {
    NocTraffic traffic({.pattern = pattern, .columns = 4, .rows = 4});
    std::vector<double> part(16);
    for (unsigned i = 0; i < kPackets; ++i) part[traffic.destination(source)] += 1.0 / kPackets;
    return part;
  };
  const auto uniform = count(NocPattern::uniform, 5), hotspot = count(NocPattern::hotspot20, 5);
  const auto corner = count(NocPattern::hotspot4corner, 5), transpose = count(NocPattern::transpose, 7);
  for (unsigned i = 0; i < 16; ++i) {
    EXPECT_NEAR(uniform[i], 1.0 / 16, 0.005);
    EXPECT_NEAR(hotspot[i], i == 10 ? 0.2 : 0.8 / 15, 0.005);
    EXPECT_NEAR(corner[i], i == 0 || i == 3 || i == 12 || i == 15 ? 0.25 : 0.0, 0.01);
    EXPECT_NEAR(transpose[i], i == 13 ? 1.0 : 0.0, 1e-9);
  }
}

TEST(NocTraffic, ComesAtItsRate) {
  NocTraffic traffic({.packets_per_cycle = 0.03});
  unsigned made = 0;
  for (unsigned i = 0; i < 200'000; ++i) made += traffic.makes_packet() ? 1 : 0;
  EXPECT_NEAR(made / 200'000.0, 0.03, 0.001);
}

}  // namespace
}  // namespace archsim
