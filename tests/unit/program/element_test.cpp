#include "arch/program/numbers/element.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>

namespace archsim {
namespace {

TEST(Element, EveryBf16AndFp16ComesBack) {
  for (std::uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    if (!std::isnan(from_bf16(half))) {
      ASSERT_EQ(bf16_from(from_bf16(half)), half);
    } else {
      ASSERT_TRUE(std::isnan(from_bf16(bf16_from(from_bf16(half)))));
    }
    if (!std::isnan(from_fp16(half))) {
      ASSERT_EQ(fp16_from(from_fp16(half)), half);
    } else {
      ASSERT_TRUE(std::isnan(from_fp16(fp16_from(from_fp16(half)))));
    }
  }
}

TEST(Element, HalfwayGoesToTheEvenNeighbour) {
  for (std::uint32_t bits = 0; bits < 0x7B00; ++bits) {  // finite in both types, with a finite neighbour
    const auto low = static_cast<std::uint16_t>(bits);
    const auto high = static_cast<std::uint16_t>(bits + 1);
    const std::uint16_t even = low % 2 == 0 ? low : high;
    const float bf16_middle = static_cast<float>((static_cast<double>(from_bf16(low)) + from_bf16(high)) / 2);
    const float fp16_middle = (from_fp16(low) + from_fp16(high)) / 2;
    ASSERT_EQ(bf16_from(bf16_middle), even) << bits;
    ASSERT_EQ(fp16_from(fp16_middle), even) << bits;
    ASSERT_EQ(fp16_from(std::nextafter(fp16_middle, 0.0F)), low) << bits;
    ASSERT_EQ(fp16_from(std::nextafter(fp16_middle, 1e9F)), high) << bits;
  }
}

TEST(Element, KnownValues) {
  EXPECT_EQ(fp16_from(1.0F), 0x3C00);
  EXPECT_EQ(fp16_from(-2.0F), 0xC000);
  EXPECT_EQ(fp16_from(65504.0F), 0x7BFF);
  EXPECT_EQ(fp16_from(65520.0F), 0x7C00);
  EXPECT_EQ(fp16_from(0x1p-24F), 0x0001);
  EXPECT_EQ(fp16_from(0x1p-25F), 0x0000);
  EXPECT_EQ(bf16_from(1.0F), 0x3F80);
  EXPECT_EQ(bf16_from(std::numeric_limits<float>::max()), 0x7F80);
}

std::int32_t written(Dtype dtype, float value, float scale) {
  std::array<std::byte, 4> bytes{};
  write_element(bytes.data(), dtype, value, scale);
  return read_integer(bytes.data(), dtype);
}

TEST(Element, IntegersRoundHalfToEvenAndSaturate) {
  EXPECT_EQ(written(Dtype::int8, 2.5F, 1.0F), 2);
  EXPECT_EQ(written(Dtype::int8, 3.5F, 1.0F), 4);
  EXPECT_EQ(written(Dtype::int8, -2.5F, 1.0F), -2);
  EXPECT_EQ(written(Dtype::int8, 1.0F, 0.25F), 4);
  EXPECT_EQ(written(Dtype::int8, 1000.0F, 1.0F), 127);
  EXPECT_EQ(written(Dtype::int8, -1000.0F, 1.0F), -128);
  EXPECT_EQ(written(Dtype::uint8, -1.0F, 1.0F), 0);
  EXPECT_EQ(written(Dtype::uint8, 300.0F, 1.0F), 255);
  EXPECT_EQ(written(Dtype::int32, 3e9F, 1.0F), std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(written(Dtype::int8, NAN, 1.0F), 0);
}

TEST(Requantize, IsTheFormulaOfTheStore) {
  EXPECT_EQ(requantize(10, {.multiplier = 1, .shift = 0}), 10);
  EXPECT_EQ(requantize(10, {.multiplier = 3, .shift = 2}), (10 * 3 + 2) >> 2);
  EXPECT_EQ(requantize(-10, {.multiplier = 3, .shift = 2}), (-10 * 3 + 2) >> 2);  // -28 >> 2 = -7
  EXPECT_EQ(requantize(1, {.multiplier = 1, .shift = 1}), 1);                     // a half goes up
  EXPECT_EQ(requantize(-1, {.multiplier = 1, .shift = 1}), 0);
  EXPECT_EQ(requantize(1 << 30, {.multiplier = 2, .shift = 1}), 127);
  EXPECT_EQ(requantize(std::numeric_limits<std::int32_t>::min(),
                       {.multiplier = std::numeric_limits<std::int32_t>::max(), .shift = 62}),
            -1);
}

TEST(Requantize, FactorsThatArePowersOfTwoAreExact) {
  for (int e = -20; e <= 0; ++e) {
    const auto by = requantization(std::ldexp(1.0, e));
    for (const std::int32_t x : {0, 1, -1, 77, -1000, 4097, 1'000'000}) {
      const double exact = std::floor(std::ldexp(static_cast<double>(x), e) + 0.5);
      EXPECT_EQ(requantize(x, by), std::clamp(exact, -128.0, 127.0)) << "2^" << e << " of " << x;
    }
  }
}

TEST(Requantize, TheMultiplierHas31BitsAndTheResultIsTheNearestStep) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 20000; ++i) {
    const double factor =
        std::ldexp(1.0 + static_cast<double>(random() % 1000) / 1000.0, -static_cast<int>(random() % 25));
    const auto by = requantization(factor);
    EXPECT_GE(by.multiplier, 1 << 30);
    const auto x = static_cast<std::int32_t>(random() % 2'000'001) - 1'000'000;
    const double exact = x * factor;
    const double got = requantize(x, by);
    if (exact > 127.0 || exact < -128.0) {
      EXPECT_EQ(got, exact > 0 ? 127 : -128);
    } else {
      // Half a step, and the multiplier's error of 2^-31 of the value.
      EXPECT_LE(std::fabs(got - exact), 0.5 + 128.0 * 0x1p-30) << x << " * " << factor;
    }
  }
}

TEST(Requantize, FactorsBeyondTheShiftsLimitsStillSaturateOrVanish) {
  EXPECT_EQ(requantize(1, requantization(1e12)), 127);
  EXPECT_EQ(requantize(-1, requantization(1e12)), -128);
  EXPECT_EQ(requantize(1'000'000, requantization(1e-15)), 0);
  EXPECT_LE(requantization(1e-15).shift, 62);
}

}  // namespace
}  // namespace archsim
