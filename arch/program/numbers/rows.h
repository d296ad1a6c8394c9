// The arithmetic of the vector unit's functions on one row in fp32, as arch/program/command.h defines it.
#pragma once

#include <cstdint>
#include <span>

#include "arch/program/command.h"

namespace archsim {

/// One operation on one element: copy, add, sub, mul, scale, axpy, the activations and the glu functions. `b` is source 1
/// where the function has one. Rows as a whole (norms, rope, softmax, sincos) are not among them.
float elementwise(VectorFunction function, float a, float b, float parameter0);
/// True for the functions that `elementwise` knows.
bool is_elementwise(VectorFunction function);

struct NormParameters {
  float epsilon = 0.0F;
  float offset = 0.0F;  // rmsnorm: added to gamma
};
void layernorm_row(std::span<const float> x, std::span<const float> gamma, std::span<const float> beta,
                   NormParameters parameters, std::span<float> y);
void rmsnorm_row(std::span<const float> x, std::span<const float> gamma, NormParameters parameters, std::span<float> y);

struct RopeParameters {
  std::uint32_t head_dim = 0;
  float theta = 0.0F;
  std::uint32_t position = 0;
};
void rope_row(std::span<const float> x, RopeParameters parameters, std::span<float> y);

/// `factor` multiplies x first. Only the first `visible` elements take part; the others become 0, and so do all if there
/// are none.
void softmax_row(std::span<const float> x, float factor, std::size_t visible, std::span<float> y);

/// The running state of one row of flash attention.
struct SoftmaxState {
  float maximum;
  float sum;
};
/// Takes the first `visible` scores of one tile into the state; `p` gets exp(score * factor - new maximum), and 0 for the
/// others. Returns by what the sums of earlier tiles must be multiplied.
float softmax_step_row(std::span<const float> scores, float factor, std::size_t visible, SoftmaxState& state,
                       std::span<float> p);

struct SincosParameters {
  float period_min = 0.0F;
  float period_max = 0.0F;
};
void sincos_row(float t, SincosParameters parameters, std::span<float> y);

}  // namespace archsim
