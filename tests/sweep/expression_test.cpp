#include "sweep/terms/expression.h"

#include <gtest/gtest.h>

namespace archsim {
namespace {

const std::vector<std::string> kNames{"npu.rows", "l2.capacity", "npu.model", "latency"};

double value_of(const std::string& text, const std::vector<double>& numbers) {
  Diagnostics out;
  const auto expression = Expression::compile(text, {}, kNames, out);
  EXPECT_TRUE(expression) << text << "\n" << render(out);
  return expression ? (*expression)(numbers) : 0.0;
}

TEST(Expression, KnowsQuantitiesTextsAndWords) {
  const std::vector<double> numbers{64.0, 16.0 * 1048576, number_of_value("rtl"), 0.0125};
  EXPECT_EQ(value_of("l2.capacity <= 16 MiB and npu.rows = 64", numbers), 1.0);
  EXPECT_EQ(value_of("l2.capacity < 16MiB or not (npu.rows == 64)", numbers), 0.0);
  EXPECT_EQ(value_of("npu.model = \"rtl\"", numbers), 1.0);
  EXPECT_EQ(value_of("npu.model != 'systolic' && latency > 12 ms", numbers), 1.0);
  EXPECT_EQ(value_of("2 * npu.rows + 1e2 - 3.5", numbers), 224.5);
  EXPECT_EQ(value_of("min(npu.rows, 32) ^ 2 / max(1, 4)", numbers), 256.0);
  EXPECT_EQ(value_of("51.2 GB/s", numbers), 51.2e9);
  EXPECT_EQ(value_of("2 GHz / 1 MHz", numbers), 2000.0);
  EXPECT_EQ(value_of("60 mm2", numbers), 60.0);
}

TEST(Expression, TellsTheColumnOfAMistake) {
  for (const auto& [text, column] : std::vector<std::pair<std::string, unsigned>>{
           {"npu.row < 3", 10}, {"npu.rows < 3 and l3 > 1", 27}, {"npu.rows # 3", 19}, {"latency < 'abc", 20}}) {
    Diagnostics out;
    EXPECT_FALSE(Expression::compile(text, {make_source("x", ""), 1, 10}, kNames, out)) << text;
    ASSERT_EQ(out.all().size(), 1U) << text;
    EXPECT_EQ(out.all()[0].location.column, column) << text;
  }
}

TEST(Expression, UsesWhatItNames) {
  Diagnostics out;
  const auto expression = Expression::compile("latency < 1 and npu.rows > 2 and latency > 0", {}, kNames, out);
  ASSERT_TRUE(expression);
  EXPECT_EQ(expression->uses(), (std::vector<std::size_t>{3, 0}));
}

TEST(NumberOfValue, TextsAreEqualOnlyToThemselves) {
  EXPECT_EQ(number_of_value("4 MiB"), 4194304.0);
  EXPECT_EQ(number_of_value("true"), 1.0);
  EXPECT_EQ(number_of_value("w4a16"), number_of_value("w4a16"));
  EXPECT_NE(number_of_value("w4a16"), number_of_value("w8a16"));
}

}  // namespace
}  // namespace archsim
