// How numbers are stored and rounded: shared by the functional executor, the reference evaluation and the mapper.
#pragma once

#include <cstddef>
#include <cstdint>

#include "arch/workload/tensor.h"

namespace archsim {

/// Round to nearest even; values too large become infinite; a NaN stays a NaN.
std::uint16_t bf16_from(float value);
float from_bf16(std::uint16_t bits);
std::uint16_t fp16_from(float value);
float from_fp16(std::uint16_t bits);

/// Of an element that is whole bytes by itself; 0 for others, which only numbers/blocks.h can read.
constexpr std::size_t bytes_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::fp32:
    case Dtype::int32:
      return 4;
    case Dtype::bf16:
    case Dtype::fp16:
      return 2;
    case Dtype::int8:
    case Dtype::uint8:
    case Dtype::fp8_e4m3:
    case Dtype::fp8_e5m2:
      return 1;
    default:
      return 0;
  }
}

/// The element at `at` as it is stored, without its tensor's scale; an int32 is rounded to the nearest fp32.
float read_element(const std::byte* at, Dtype dtype);
/// The element at `at` of an integer type.
std::int32_t read_integer(const std::byte* at, Dtype dtype);

/// Stores `value` as the vector unit does: saturate(round_half_even(value / scale)) for integer types, NaN as 0; rounded to
/// nearest even, and `scale` unused, for floating-point types.
void write_element(std::byte* at, Dtype dtype, float value, float scale);
/// Stores an integer that fits the integer type.
void write_integer(std::byte* at, Dtype dtype, std::int32_t value);

/// The integer form of a factor: x * multiplier / 2^shift.
struct Requantization {
  std::int32_t multiplier = 1;
  std::uint8_t shift = 0;
  friend bool operator==(const Requantization&, const Requantization&) = default;
};

/// The nearest multiplier and shift for `factor` > 0, with a multiplier of 31 bits where the shift's limit of 62 allows.
/// For int32 sums of x * w that become an int8 y: factor = x.scale * w.scale / y.scale.
Requantization requantization(double factor);

/// What the requantizing store does: saturate8((x * multiplier + (1 << (shift-1))) >> shift); no rounding for shift 0.
std::int8_t requantize(std::int32_t x, Requantization by);

}  // namespace archsim
