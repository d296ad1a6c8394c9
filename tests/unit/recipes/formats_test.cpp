// Narrow numbers against what their standards' tables and definitions say.
#include "arch/program/numbers/formats.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "arch/program/numbers/element.h"

namespace archsim {
namespace {

// OFP8 v1.0, table 1.
TEST(Fp8, E4m3HasTheLimitsOfItsTable) {
  EXPECT_EQ(from_fp8_e4m3(0x7E), 448.0F);                // S.1111.110
  EXPECT_EQ(from_fp8_e4m3(0x08), std::ldexp(1.0F, -6));  // least normal
  EXPECT_EQ(from_fp8_e4m3(0x07), 0.875F * std::ldexp(1.0F, -6));
  EXPECT_EQ(from_fp8_e4m3(0x01), std::ldexp(1.0F, -9));  // least subnormal
  EXPECT_EQ(from_fp8_e4m3(0xFE), -448.0F);
  EXPECT_TRUE(std::isnan(from_fp8_e4m3(0x7F)));
  EXPECT_TRUE(std::isnan(from_fp8_e4m3(0xFF)));
}

TEST(Fp8, E5m2HasTheLimitsOfItsTable) {
  EXPECT_EQ(from_fp8_e5m2(0x7B), 57344.0F);               // S.11110.11
  EXPECT_EQ(from_fp8_e5m2(0x04), std::ldexp(1.0F, -14));  // least normal
  EXPECT_EQ(from_fp8_e5m2(0x01), std::ldexp(1.0F, -16));  // least subnormal
  EXPECT_EQ(from_fp8_e5m2(0x7C), INFINITY);
  EXPECT_EQ(from_fp8_e5m2(0xFC), -INFINITY);
  EXPECT_TRUE(std::isnan(from_fp8_e5m2(0x7D)));
}

TEST(Fp8, EveryFiniteNumberComesBack) {
  for (int bits = 0; bits < 256; ++bits) {
    const auto byte = static_cast<std::uint8_t>(bits);
    if (const float value = from_fp8_e4m3(byte); !std::isnan(value)) {
      EXPECT_EQ(fp8_e4m3_from(value), byte) << value;
    }
    if (const float value = from_fp8_e5m2(byte); std::isfinite(value)) {
      EXPECT_EQ(fp8_e5m2_from(value), byte) << value;
    }
  }
}

TEST(Fp8, RoundsToNearestEvenAndSaturates) {
  // Between 1 and 1.125 of E4M3; 1.0625 is halfway, and 1 is even.
  EXPECT_EQ(from_fp8_e4m3(fp8_e4m3_from(1.0625F)), 1.0F);
  EXPECT_EQ(from_fp8_e4m3(fp8_e4m3_from(1.0626F)), 1.125F);
  EXPECT_EQ(from_fp8_e4m3(fp8_e4m3_from(1.1875F)), 1.25F);
  // A carry into the exponent, and out of the subnormals.
  EXPECT_EQ(from_fp8_e4m3(fp8_e4m3_from(1.99F)), 2.0F);
  EXPECT_EQ(from_fp8_e4m3(fp8_e4m3_from(0.99F * std::ldexp(1.0F, -6))), std::ldexp(1.0F, -6));
  // Half of the least number goes to even, which is 0; a little more does not.
  EXPECT_EQ(fp8_e4m3_from(std::ldexp(1.0F, -10)), 0x00);
  EXPECT_EQ(fp8_e4m3_from(1.01F * std::ldexp(1.0F, -10)), 0x01);
  EXPECT_EQ(from_fp8_e4m3(fp8_e4m3_from(1e6F)), 448.0F);
  EXPECT_EQ(from_fp8_e4m3(fp8_e4m3_from(-INFINITY)), -448.0F);
  EXPECT_EQ(from_fp8_e5m2(fp8_e5m2_from(1e6F)), 57344.0F);
  EXPECT_EQ(from_fp8_e5m2(fp8_e5m2_from(1.125F)), 1.0F);
  EXPECT_TRUE(std::isnan(from_fp8_e4m3(fp8_e4m3_from(NAN))));
  EXPECT_TRUE(std::isnan(from_fp8_e5m2(fp8_e5m2_from(NAN))));
}

TEST(Fp4, HasItsSixteenNumbers) {
  const std::array<float, 8> magnitudes{0.0F, 0.5F, 1.0F, 1.5F, 2.0F, 3.0F, 4.0F, 6.0F};
  for (std::uint8_t bits = 0; bits < 16; ++bits) {
    const float magnitude = magnitudes[bits & 7];
    const float value = bits < 8 ? magnitude : -magnitude;
    EXPECT_EQ(from_fp4_e2m1(bits), value);
    EXPECT_EQ(fp4_e2m1_from(value), bits);
  }
  EXPECT_EQ(from_fp4_e2m1(fp4_e2m1_from(2.5F)), 2.0F);  // halfway, to even
  EXPECT_EQ(from_fp4_e2m1(fp4_e2m1_from(3.5F)), 4.0F);
  EXPECT_EQ(from_fp4_e2m1(fp4_e2m1_from(5.0F)), 4.0F);
  EXPECT_EQ(from_fp4_e2m1(fp4_e2m1_from(-100.0F)), -6.0F);
}

TEST(Int4, SaturatesAndRoundsHalvesToEven) {
  for (int value = -8; value < 8; ++value) EXPECT_EQ(from_int4(int4_from(static_cast<float>(value))), value);
  EXPECT_EQ(from_int4(int4_from(2.5F)), 2.0F);
  EXPECT_EQ(from_int4(int4_from(-9.0F)), -8.0F);
  EXPECT_EQ(from_int4(int4_from(100.0F)), 7.0F);
  EXPECT_EQ(int4_from(-1.0F), 0xF);
  EXPECT_EQ(int4_group_scale(std::array{3.0F, -14.0F, 1.0F}), 2.0F);
  EXPECT_EQ(int4_group_scale(std::array{0.0F}), 1.0F);
}

TEST(E8m0, IsAPowerOfTwo) {
  EXPECT_EQ(from_e8m0(127), 1.0F);
  EXPECT_EQ(from_e8m0(130), 8.0F);
  EXPECT_EQ(from_e8m0(0), std::ldexp(1.0F, -127));
  EXPECT_TRUE(std::isnan(from_e8m0(255)));
}

// MX v1.0, 6.3: the scale is 2^(floor(log2(largest)) - 8) for E4M3 elements, 2^(... - 2) for E2M1.
TEST(Mx, AnElementIsTheQuotientOfValueAndScale) {
  std::vector<float> values(32, 0.1F);
  values[3] = -20.0F;  // 2^4 <= 20
  const auto eight = quantize_block(Dtype::mxfp8, values);
  EXPECT_EQ(eight.scale, 127 + 4 - 8);
  EXPECT_EQ(eight.elements[3], fp8_e4m3_from(-20.0F * 16.0F));
  EXPECT_EQ(dequantize_block(Dtype::mxfp8, eight)[3], -20.0F);
  EXPECT_EQ(dequantize_block(Dtype::mxfp8, eight)[0], 1.625F / 16.0F);  // 0.1 * 16 = 1.6, and 1.625 is nearest
  const auto four = quantize_block(Dtype::mxfp4, values);
  EXPECT_EQ(four.scale, 127 + 4 - 2);
  EXPECT_EQ(dequantize_block(Dtype::mxfp4, four)[3], -16.0F);  // 20 / 4 = 5, halfway between 4 and 6, to even
  EXPECT_EQ(dequantize_block(Dtype::mxfp4, four)[0], 0.0F);
}

TEST(Mx, WhatIsTooLargeForItsScaleSaturates) {
  // 31 = 2^4 * 1.9375; the scale is 4, and 7.75 is more than 6.
  const auto block = quantize_block(Dtype::mxfp4, std::array{31.0F, 8.0F});
  EXPECT_EQ(dequantize_block(Dtype::mxfp4, block), (std::vector{24.0F, 8.0F}));
}

TEST(Nvfp4, TheLargestOfABlockIsSixTimesItsScale) {
  const float tensor_scale = nvfp4_tensor_scale(2688.0F);
  EXPECT_EQ(tensor_scale, 1.0F);  // 448 * 6
  const auto block = quantize_block(Dtype::nvfp4, std::array{12.0F, -6.0F, 1.0F, 0.4F}, tensor_scale);
  EXPECT_EQ(from_fp8_e4m3(block.scale), 2.0F);
  EXPECT_EQ(dequantize_block(Dtype::nvfp4, block, tensor_scale), (std::vector{12.0F, -6.0F, 1.0F, 0.0F}));
  // A scale between two E4M3 numbers is rounded: 6.6 / 6 = 1.1 becomes 1.125.
  const auto rounded = quantize_block(Dtype::nvfp4, std::array{6.6F, 1.125F}, 1.0F);
  EXPECT_EQ(from_fp8_e4m3(rounded.scale), 1.125F);
  EXPECT_EQ(dequantize_block(Dtype::nvfp4, rounded), (std::vector{6.75F, 1.125F}));
}

TEST(Blocks, OfZerosStayZeros) {
  for (const auto dtype : {Dtype::mxfp8, Dtype::mxfp4, Dtype::nvfp4}) {
    const auto block = quantize_block(dtype, std::array{0.0F, 0.0F});
    EXPECT_EQ(dequantize_block(dtype, block), (std::vector{0.0F, 0.0F})) << name_of(dtype);
  }
}

TEST(Elements, OfFp8AreReadAndWrittenLikeOthers) {
  std::byte at{};
  write_element(&at, Dtype::fp8_e4m3, 3.3F, 1.0F);
  EXPECT_EQ(read_element(&at, Dtype::fp8_e4m3), 3.25F);
  write_element(&at, Dtype::fp8_e5m2, 3.3F, 1.0F);
  EXPECT_EQ(read_element(&at, Dtype::fp8_e5m2), 3.5F);
}

}  // namespace
}  // namespace archsim
