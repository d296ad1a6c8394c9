#include "arch/program/numbers/element.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "arch/describe/diagnostic.h"
#include "arch/program/numbers/formats.h"

namespace archsim {
namespace {

template <class T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <class T>
void save(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof value);
}

template <class T>
T saturate(float value) {
  if (std::isnan(value)) return 0;
  // In double, because the largest int32 is no fp32.
  const auto rounded = std::nearbyint(static_cast<double>(value));
  return static_cast<T>(std::clamp(rounded, static_cast<double>(std::numeric_limits<T>::min()),
                                   static_cast<double>(std::numeric_limits<T>::max())));
}

}  // namespace

std::uint16_t bf16_from(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>((bits >> 16) | 0x0040);
  return static_cast<std::uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

float from_bf16(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

std::uint16_t fp16_from(float value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const auto with_sign = [sign](std::uint32_t magnitude) { return static_cast<std::uint16_t>(sign | magnitude); };
  if (std::isnan(value)) return with_sign(0x7E00);
  const float magnitude = std::fabs(value);
  if (magnitude >= 65520.0F) return with_sign(0x7C00);  // halfway between the largest fp16 and 2^16
  // The unit in the last place: 2^-24 for subnormals, else 2^(exponent - 10).
  const int exponent = magnitude < 0x1p-14F ? -14 : std::ilogb(magnitude);
  const auto units = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  // 1024 units are the implicit one; a carry out of the mantissa goes into the exponent by itself.
  return with_sign(static_cast<std::uint32_t>(exponent + 14) * 1024 + units);
}

float from_fp16(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int mantissa = bits & 1023;
  const float sign = (bits & 0x8000) != 0 ? -1.0F : 1.0F;
  if (exponent == 31) {
    return mantissa != 0 ? std::numeric_limits<float>::quiet_NaN() : sign * std::numeric_limits<float>::infinity();
  }
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(mantissa), -24);
  return sign * std::ldexp(static_cast<float>(1024 + mantissa), exponent - 25);
}

float read_element(const std::byte* at, Dtype dtype) {
  switch (dtype) {
    case Dtype::fp32:
      return load<float>(at);
    case Dtype::bf16:
      return from_bf16(load<std::uint16_t>(at));
    case Dtype::fp16:
      return from_fp16(load<std::uint16_t>(at));
    case Dtype::fp8_e4m3:
      return from_fp8_e4m3(load<std::uint8_t>(at));
    case Dtype::fp8_e5m2:
      return from_fp8_e5m2(load<std::uint8_t>(at));
    case Dtype::int32:
    case Dtype::int8:
    case Dtype::uint8:
      return static_cast<float>(read_integer(at, dtype));
    default:
      break;
  }
  ARCHSIM_ASSERT(false, name_of(dtype));
  return 0.0F;
}

std::int32_t read_integer(const std::byte* at, Dtype dtype) {
  switch (dtype) {
    case Dtype::int32:
      return load<std::int32_t>(at);
    case Dtype::int8:
      return load<std::int8_t>(at);
    case Dtype::uint8:
      return load<std::uint8_t>(at);
    default:
      break;
  }
  ARCHSIM_ASSERT(false, "a floating-point element read as an integer");
  return 0;
}

void write_element(std::byte* at, Dtype dtype, float value, float scale) {
  switch (dtype) {
    case Dtype::fp32:
      return save(at, value);
    case Dtype::bf16:
      return save(at, bf16_from(value));
    case Dtype::fp16:
      return save(at, fp16_from(value));
    case Dtype::fp8_e4m3:
      return save(at, fp8_e4m3_from(value));
    case Dtype::fp8_e5m2:
      return save(at, fp8_e5m2_from(value));
    case Dtype::int32:
      return save(at, saturate<std::int32_t>(value / scale));
    case Dtype::int8:
      return save(at, saturate<std::int8_t>(value / scale));
    case Dtype::uint8:
      return save(at, saturate<std::uint8_t>(value / scale));
    default:
      break;
  }
  ARCHSIM_ASSERT(false, name_of(dtype));
}

void write_integer(std::byte* at, Dtype dtype, std::int32_t value) {
  switch (dtype) {
    case Dtype::int32:
      return save(at, value);
    case Dtype::int8:
      return save(at, static_cast<std::int8_t>(value));
    case Dtype::uint8:
      return save(at, static_cast<std::uint8_t>(value));
    default:
      break;
  }
  ARCHSIM_ASSERT(false, "an integer written as a floating-point element");
}

Requantization requantization(double factor) {
  ARCHSIM_ASSERT(factor > 0.0 && std::isfinite(factor), "a requantization factor must be positive");
  int exponent = 0;
  std::frexp(factor, &exponent);  // factor in [2^(exponent-1), 2^exponent)
  int shift = std::clamp(31 - exponent, 1, 62);
  double multiplier = std::nearbyint(std::ldexp(factor, shift));
  if (multiplier > std::numeric_limits<std::int32_t>::max() && shift > 1) {
    --shift;
    multiplier = std::nearbyint(std::ldexp(factor, shift));
  }
  // A factor of 2^30 or more takes every x but 0 out of int8's range, as the largest multiplier does.
  multiplier = std::min(multiplier, static_cast<double>(std::numeric_limits<std::int32_t>::max()));
  return {static_cast<std::int32_t>(multiplier), static_cast<std::uint8_t>(shift)};
}

std::int8_t requantize(std::int32_t x, Requantization by) {
  std::int64_t value = static_cast<std::int64_t>(x) * by.multiplier;
  if (by.shift > 0) value = (value + (std::int64_t{1} << (by.shift - 1))) >> by.shift;
  return static_cast<std::int8_t>(std::clamp<std::int64_t>(value, -128, 127));
}

}  // namespace archsim
