// What is said about recipes that are wrong, by themselves or for the workload `tiny`.
#include <gtest/gtest.h>

#include "tests/diagnostics/fixture.h"
#include "traces/generate/generate.h"

namespace archsim {
namespace {

constexpr const char* kWorkload = "traces/workloads/tiny.yaml";

class RecipeFile : public testing::TestWithParam<std::string> {};

TEST_P(RecipeFile, IsRefusedInTheseWords) {
  const auto trace = build_trace(kWorkload, {}, GetParam());
  ASSERT_FALSE(trace);
  EXPECT_TRUE(is_expected_for(GetParam(), render(trace.diagnostics())));
}

INSTANTIATE_TEST_SUITE_P(Fixtures, RecipeFile, testing::ValuesIn(fixtures_in("tests/diagnostics/recipes")),
                         [](const auto& each) { return fixture_name(each.param); });

TEST(RecipeName, ThatNobodyKnowsIsRefusedWhereItStands) {
  const auto said = [](const std::vector<std::string>& settings, const std::string& recipe) {
    const auto trace = build_trace(kWorkload, settings, recipe);
    return trace ? std::string("nothing") : render(trace.diagnostics());
  };
  EXPECT_EQ(said({}, "nvfp"),
            "error: no recipe is called `nvfp`\n"
            "  --> --recipe:1:1\n"
            "  1 | nvfp\n"
            "    | ^\n"
            "help: did you mean `nvfp4`?; a file is named with its `.yaml`\n");
  EXPECT_NE(said({"dtype=in8"}, "").find("did you mean `int8`?"), std::string::npos) << said({"dtype=in8"}, "");
  EXPECT_NE(said({}, "no/such/file.yaml").find("cannot read recipe `no/such/file.yaml`"), std::string::npos);
  EXPECT_NE(said({"dtype=int8"}, "fp8").find("asks for another recipe"), std::string::npos);
}

}  // namespace
}  // namespace archsim
