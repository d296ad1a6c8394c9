// Narrow floating-point numbers and blocks of numbers under a common scale, as their standards define them.
//
// fp8: OCP 8-bit Floating Point Specification (OFP8) v1.0. mx: OCP Microscaling Formats (MX) Specification v1.0. nvfp4: 16 E2M1
// elements under an E4M3 scale, under an fp32 scale of the tensor (NVIDIA, "Pretraining Large Language Models with NVFP4").
// All round to nearest even and saturate at the largest finite number; a NaN stays one where the format has it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "arch/workload/tensor.h"

namespace archsim {

std::uint8_t fp8_e4m3_from(float value);  // 4 bits of exponent, bias 7, up to 448; no infinity
float from_fp8_e4m3(std::uint8_t bits);
std::uint8_t fp8_e5m2_from(float value);  // 5 bits of exponent, bias 15, up to 57344
float from_fp8_e5m2(std::uint8_t bits);
std::uint8_t fp4_e2m1_from(float value);  // 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives; a NaN becomes 0
float from_fp4_e2m1(std::uint8_t bits);
std::uint8_t int4_from(float value);  // -8 .. 7 in two's complement, in the low half of the byte; a NaN becomes 0
float from_int4(std::uint8_t bits);
/// 2^(bits - 127); 255 is a NaN.
float from_e8m0(std::uint8_t bits);

/// A run of elements under one scale, each element and the scale in a byte of its own.
struct Block {
  std::uint8_t scale = 0;
  std::vector<std::uint8_t> elements;
};

/// `dtype` is mxfp8, mxfp4 or nvfp4. MX: the scale is 2^(floor(log2(largest magnitude)) - largest exponent of an element).
/// nvfp4: E4M3(largest magnitude / 6 / tensor_scale). As many elements as there are values, at most a block.
Block quantize_block(Dtype dtype, std::span<const float> values, float tensor_scale = 1.0F);
std::vector<float> dequantize_block(Dtype dtype, const Block& block, float tensor_scale = 1.0F);

/// The scale of an nvfp4 tensor whose largest magnitude this is, with which the largest block scale is 448.
float nvfp4_tensor_scale(float largest);

/// A group of int4 weights: their common scale is the largest magnitude / 7, rounded to bf16; 1 if all are 0.
float int4_group_scale(std::span<const float> values);

}  // namespace archsim
