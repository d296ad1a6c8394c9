#include "arch/program/numbers/formats.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "arch/describe/diagnostic.h"
#include "arch/program/numbers/element.h"

namespace archsim {
namespace {

struct Minifloat {
  int mantissa_bits, exponent_bits, bias;
  float largest;

  int sign_bit() const { return mantissa_bits + exponent_bits; }
};
constexpr Minifloat kE4m3{.mantissa_bits = 3, .exponent_bits = 4, .bias = 7, .largest = 448.0F};
constexpr Minifloat kE5m2{.mantissa_bits = 2, .exponent_bits = 5, .bias = 15, .largest = 57344.0F};
constexpr Minifloat kE2m1{.mantissa_bits = 1, .exponent_bits = 2, .bias = 1, .largest = 6.0F};

constexpr std::uint8_t kE4m3Nan = 0x7F, kE5m2Infinity = 0x7C, kE5m2Nan = 0x7E, kE8m0Nan = 0xFF;
constexpr int kE8m0Bias = 127;

std::uint8_t encode(const Minifloat& format, float value) {
  const float magnitude = std::min(std::fabs(value), format.largest);
  const int lowest = 1 - format.bias;
  const int exponent = magnitude < std::ldexp(1.0F, lowest) ? lowest : std::ilogb(magnitude);
  const auto units = static_cast<int>(std::nearbyint(std::ldexp(magnitude, format.mantissa_bits - exponent)));
  // The implicit one is 2^mantissa_bits units, so a carry goes into the exponent by itself.
  const int code = ((exponent - lowest) << format.mantissa_bits) + units;
  return static_cast<std::uint8_t>(code | (std::signbit(value) ? 1 << format.sign_bit() : 0));
}

float decode(const Minifloat& format, std::uint8_t bits) {
  const int code = bits & ((1 << format.sign_bit()) - 1);
  const int exponent = code >> format.mantissa_bits, mantissa = code & ((1 << format.mantissa_bits) - 1);
  const int units = exponent == 0 ? mantissa : mantissa + (1 << format.mantissa_bits);
  const float magnitude =
      std::ldexp(static_cast<float>(units), std::max(exponent, 1) - format.bias - format.mantissa_bits);
  return (bits >> format.sign_bit() & 1) != 0 ? -magnitude : magnitude;
}

float largest_magnitude(std::span<const float> values) {
  float largest = 0.0F;
  for (const float value : values) largest = std::max(largest, std::fabs(value));
  return largest;
}

bool has_fp8_elements(Dtype dtype) { return dtype == Dtype::mxfp8; }

// Of the largest element: 448 = 1.75 * 2^8, 6 = 1.5 * 2^2.
int largest_exponent(Dtype dtype) { return has_fp8_elements(dtype) ? 8 : 2; }

std::uint8_t mx_scale(Dtype dtype, float largest) {
  if (std::isnan(largest) || std::isinf(largest)) return kE8m0Nan;
  const int exponent = largest > 0.0F ? std::ilogb(largest) : -kE8m0Bias;
  return static_cast<std::uint8_t>(std::clamp(exponent - largest_exponent(dtype) + kE8m0Bias, 0, kE8m0Nan - 1));
}

float scale_of(Dtype dtype, const Block& block, float tensor_scale) {
  return dtype == Dtype::nvfp4 ? from_fp8_e4m3(block.scale) * tensor_scale : from_e8m0(block.scale);
}

}  // namespace

std::uint8_t fp8_e4m3_from(float value) { return std::isnan(value) ? kE4m3Nan : encode(kE4m3, value); }

float from_fp8_e4m3(std::uint8_t bits) {
  return (bits & kE4m3Nan) == kE4m3Nan ? std::numeric_limits<float>::quiet_NaN() : decode(kE4m3, bits);
}

std::uint8_t fp8_e5m2_from(float value) { return std::isnan(value) ? kE5m2Nan : encode(kE5m2, value); }

float from_fp8_e5m2(std::uint8_t bits) {
  const int magnitude = bits & 0x7F;
  if (magnitude > kE5m2Infinity) return std::numeric_limits<float>::quiet_NaN();
  if (magnitude == kE5m2Infinity) return bits > 0x7F ? -INFINITY : INFINITY;
  return decode(kE5m2, bits);
}

std::uint8_t fp4_e2m1_from(float value) { return std::isnan(value) ? 0 : encode(kE2m1, value); }
float from_fp4_e2m1(std::uint8_t bits) { return decode(kE2m1, bits); }

std::uint8_t int4_from(float value) {
  if (std::isnan(value)) return 0;
  return static_cast<std::uint8_t>(static_cast<int>(std::clamp(std::nearbyint(value), -8.0F, 7.0F)) & 0xF);
}

float from_int4(std::uint8_t bits) { return static_cast<float>((bits & 0xF) - ((bits & 8) != 0 ? 16 : 0)); }

float from_e8m0(std::uint8_t bits) {
  return bits == kE8m0Nan ? std::numeric_limits<float>::quiet_NaN() : std::ldexp(1.0F, bits - kE8m0Bias);
}

Block quantize_block(Dtype dtype, std::span<const float> values, float tensor_scale) {
  const Packing packing = packing_of(dtype);
  ARCHSIM_ASSERT(packing.scale_bits > 0 && values.size() <= packing.elements, name_of(dtype));
  Block block;
  const float largest = largest_magnitude(values);
  block.scale =
      dtype == Dtype::nvfp4 ? fp8_e4m3_from(largest / kE2m1.largest / tensor_scale) : mx_scale(dtype, largest);
  const float scale = scale_of(dtype, block, tensor_scale);
  for (const float value : values) {
    const float scaled = scale > 0.0F || std::isnan(scale) ? value / scale : 0.0F;
    block.elements.push_back(has_fp8_elements(dtype) ? fp8_e4m3_from(scaled) : fp4_e2m1_from(scaled));
  }
  return block;
}

std::vector<float> dequantize_block(Dtype dtype, const Block& block, float tensor_scale) {
  const float scale = scale_of(dtype, block, tensor_scale);
  std::vector<float> values;
  for (const auto bits : block.elements) {
    values.push_back(scale * (has_fp8_elements(dtype) ? from_fp8_e4m3(bits) : from_fp4_e2m1(bits)));
  }
  return values;
}

float nvfp4_tensor_scale(float largest) { return largest > 0.0F ? largest / (kE4m3.largest * kE2m1.largest) : 1.0F; }

float int4_group_scale(std::span<const float> values) {
  const float largest = largest_magnitude(values);
  return largest > 0.0F ? from_bf16(bf16_from(largest / 7.0F)) : 1.0F;
}

}  // namespace archsim
