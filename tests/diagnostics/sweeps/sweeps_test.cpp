// Sweep files with mistakes: everything is told at once, where it stands, before anything runs.
#include <gtest/gtest.h>

#include "sweep/plan/plan.h"
#include "tests/diagnostics/fixture.h"

namespace archsim {
namespace {

class SweepFiles : public testing::TestWithParam<std::string> {};

TEST_P(SweepFiles, MistakesAreTold) {
  const auto source = read_source(GetParam());
  ASSERT_TRUE(source);
  const auto plan = read_plan(*source);
  ASSERT_FALSE(plan) << "the file is good";
  EXPECT_TRUE(is_expected_for(GetParam(), render(plan.diagnostics())));
}

INSTANTIATE_TEST_SUITE_P(Fixtures, SweepFiles, testing::ValuesIn(fixtures_in("tests/diagnostics/sweeps")),
                         [](const auto& each) { return fixture_name(each.param); });

}  // namespace
}  // namespace archsim
