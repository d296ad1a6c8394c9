#include "arch/program/numbers/rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "arch/describe/diagnostic.h"

namespace archsim {
namespace {

// Transcendental functions are evaluated in double and rounded once.
float exponential(float x) { return static_cast<float>(std::exp(static_cast<double>(x))); }

float sigmoid(float x) { return static_cast<float>(1.0 / (1.0 + std::exp(-static_cast<double>(x)))); }

float silu(float x) {
  const auto wide = static_cast<double>(x);
  // x * sigmoid(x) tends to -0 where exp(-x) overflows; so does this quotient.
  return static_cast<float>(wide / (1.0 + std::exp(-wide)));
}

float gelu_erf(float x) {
  const auto wide = static_cast<double>(x);
  return static_cast<float>(0.5 * wide * (1.0 + std::erf(wide / std::numbers::sqrt2)));
}

float gelu_tanh(float x) {
  const auto wide = static_cast<double>(x);
  const double factor = std::sqrt(2.0 / std::numbers::pi);
  return static_cast<float>(0.5 * wide * (1.0 + std::tanh(factor * (wide + 0.044715 * wide * wide * wide))));
}

// Written so that a NaN, the mark of bytes that nothing wrote, comes through.
float relu(float x) { return x < 0.0F ? 0.0F : x; }

}  // namespace

bool is_elementwise(VectorFunction function) { return function <= VectorFunction::glu_sigmoid; }

float elementwise(VectorFunction function, float a, float b, float parameter0) {
  switch (function) {
    case VectorFunction::copy:
      return a;
    case VectorFunction::add:
      return a + b;
    case VectorFunction::sub:
      return a - b;
    case VectorFunction::mul:
      return a * b;
    case VectorFunction::scale:
      return a * parameter0;
    case VectorFunction::axpy: {
      const float product = parameter0 * b;
      return a + product;
    }
    case VectorFunction::gelu_tanh:
      return gelu_tanh(a);
    case VectorFunction::gelu_erf:
      return gelu_erf(a);
    case VectorFunction::silu:
      return silu(a);
    case VectorFunction::relu:
      return relu(a);
    case VectorFunction::tanh:
      return static_cast<float>(std::tanh(static_cast<double>(a)));
    case VectorFunction::sigmoid:
      return sigmoid(a);
    case VectorFunction::glu_gelu_tanh:
      return gelu_tanh(a) * b;
    case VectorFunction::glu_gelu_erf:
      return gelu_erf(a) * b;
    case VectorFunction::glu_silu:
      return silu(a) * b;
    case VectorFunction::glu_relu:
      return relu(a) * b;
    case VectorFunction::glu_sigmoid:
      return sigmoid(a) * b;
    default:
      break;
  }
  ARCHSIM_ASSERT(false, name_of(function));
  return 0.0F;
}

void layernorm_row(std::span<const float> x, std::span<const float> gamma, std::span<const float> beta,
                   NormParameters parameters, std::span<float> y) {
  const auto count = static_cast<float>(x.size());
  float sum = 0.0F;
  for (const float value : x) sum += value;
  const float mean = sum / count;
  float squares = 0.0F;
  for (const float value : x) {
    const float distance = value - mean;
    squares += distance * distance;
  }
  const float deviation = std::sqrt(squares / count + parameters.epsilon);
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = (x[i] - mean) / deviation * gamma[i] + beta[i];
}

void rmsnorm_row(std::span<const float> x, std::span<const float> gamma, NormParameters parameters,
                 std::span<float> y) {
  float squares = 0.0F;
  for (const float value : x) squares += value * value;
  const float root = std::sqrt(squares / static_cast<float>(x.size()) + parameters.epsilon);
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] / root * (parameters.offset + gamma[i]);
}

void rope_row(std::span<const float> x, RopeParameters parameters, std::span<float> y) {
  const std::size_t half = parameters.head_dim / 2;
  for (std::size_t i = 0; i < half; ++i) {
    const double exponent = -2.0 * static_cast<double>(i) / parameters.head_dim;
    const double angle = parameters.position * std::pow(static_cast<double>(parameters.theta), exponent);
    const auto cosine = static_cast<float>(std::cos(angle));
    const auto sine = static_cast<float>(std::sin(angle));
    for (std::size_t head = 0; head + parameters.head_dim <= x.size(); head += parameters.head_dim) {
      const float first = x[head + i];
      const float second = x[head + half + i];
      y[head + i] = first * cosine - second * sine;
      y[head + half + i] = second * cosine + first * sine;
    }
  }
}

float softmax_step_row(std::span<const float> scores, float factor, std::size_t visible, SoftmaxState& state,
                       std::span<float> p) {
  std::fill(p.begin(), p.end(), 0.0F);
  if (visible == 0) return 1.0F;
  float maximum = state.maximum;
  for (std::size_t i = 0; i < visible; ++i) {
    p[i] = scores[i] * factor;
    if (p[i] > maximum || std::isnan(p[i])) maximum = p[i];
  }
  float sum = 0.0F;
  for (std::size_t i = 0; i < visible; ++i) {
    p[i] = exponential(p[i] - maximum);
    sum += p[i];
  }
  const float rescale = exponential(state.maximum - maximum);
  state.sum = state.sum * rescale + sum;
  state.maximum = maximum;
  return rescale;
}

void softmax_row(std::span<const float> x, float factor, std::size_t visible, std::span<float> y) {
  SoftmaxState state{-std::numeric_limits<float>::infinity(), 0.0F};
  softmax_step_row(x, factor, visible, state, y);
  for (std::size_t i = 0; i < visible; ++i) y[i] /= state.sum;
}

void sincos_row(float t, SincosParameters parameters, std::span<float> y) {
  const std::size_t half = y.size() / 2;
  const auto first = static_cast<double>(parameters.period_min);
  const double ratio = static_cast<double>(parameters.period_max) / first;
  for (std::size_t i = 0; i < half; ++i) {
    const double fraction = half > 1 ? static_cast<double>(i) / static_cast<double>(half - 1) : 0.0;
    const double angle = t * 2.0 * std::numbers::pi / (first * std::pow(ratio, fraction));
    y[i] = static_cast<float>(std::sin(angle));
    y[half + i] = static_cast<float>(std::cos(angle));
  }
}

}  // namespace archsim
