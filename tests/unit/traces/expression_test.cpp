#include "traces/generate/expression.h"

#include <gtest/gtest.h>

namespace archsim {
namespace {

Diagnostics found;

std::optional<std::int64_t> whole(const std::string& text, const Numbers& numbers = {}) {
  found = {};
  return evaluate_integer(text, {make_source("f", text), 1, 1}, numbers, found);
}

TEST(Expression, ComputesExactly) {
  EXPECT_EQ(whole("(image / patch)^2", {{"image", 224}, {"patch", 14}}), 16 * 16);
  EXPECT_EQ(whole("2^53"), std::int64_t{1} << 53);
  EXPECT_EQ(whole("floor(7 / 2) + ceil(7 / 2)"), 3 + 4);
  EXPECT_EQ(whole("cameras > 2 ? 10 : 20", {{"cameras", 3}}), 10);
}

TEST(Expression, RefusesAFraction) {
  EXPECT_FALSE(whole("7 / 2"));
  EXPECT_EQ(found.all().at(0).message, "`7 / 2` is 3.5, which is not a whole number");
}

TEST(Expression, RefusesWhatIsNotExact) {
  EXPECT_FALSE(whole("2^60"));
  EXPECT_FALSE(whole("1 / 0"));
}

TEST(Expression, PointsAtAnUnknownName) {
  EXPECT_FALSE(whole("2 * layerz", {{"layers", 18}}));
  EXPECT_EQ(found.all().at(0).message, "no number `layerz` is known here");
  EXPECT_EQ(found.all().at(0).help, "did you mean `layers`?");
  EXPECT_EQ(found.all().at(0).location.column, 5U);
}

TEST(Expression, RefusesBrokenSyntax) {
  for (const auto* text : {"", "2 *", "(3", "2 3", "a = 4", "\"x\"", "1,2"}) {
    EXPECT_FALSE(whole(text, {{"a", 1}})) << text;
    EXPECT_TRUE(found.has_errors()) << text;
  }
}

}  // namespace
}  // namespace archsim
