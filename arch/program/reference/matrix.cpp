// linear and matmul.
#include "arch/program/numbers/element.h"
#include "arch/program/reference/operators.h"

namespace archsim {
namespace {

/// One sum of products: in integers or in fp32, as the array has it.
struct Sum {
  bool is_integer = false;
  std::uint32_t integer = 0;  // int32, wrapping
  float real = 0.0F;

  void start(const Array& bias, std::uint64_t element) {
    if (is_integer) {
      integer = static_cast<std::uint32_t>(bias.integer(element));
    } else {
      real = bias.value(element);
    }
  }
  void add(const Array& a, std::uint64_t at_a, const Array& b, std::uint64_t at_b) {
    if (is_integer) {
      integer += static_cast<std::uint32_t>(a.integer(at_a)) * static_cast<std::uint32_t>(b.integer(at_b));
    } else {
      const float product = a.stored(at_a) * b.stored(at_b);
      real += product;
    }
  }
};

void store(const Sum& sum, double scale, Array& y, std::uint64_t element) {
  if (!sum.is_integer) return y.set(element, sum.real);
  const auto q = static_cast<std::int32_t>(sum.integer);
  if (y.dtype == Dtype::int8) return y.set_integer(element, requantize(q, requantization(scale / y.scale)));
  if (y.dtype == Dtype::int32 && y.scale == scale) return y.set_integer(element, q);
  y.set(element, static_cast<float>(q) * static_cast<float>(scale));
}

/// Which of several outputs, and which of its columns, holds column n of the whole.
struct OutputColumn {
  std::size_t output = 0;
  std::uint64_t column = 0;
};

OutputColumn output_column(const Outputs& out, std::uint64_t n) {
  std::size_t i = 0;
  while (n >= out[i].columns()) n -= out[i++].columns();
  return {i, n};
}

}  // namespace

void evaluate_linear(const Operator&, const Inputs& in, Outputs& out) {
  const Array& x = *in[0];
  const Array& w = *in[1];
  const double scale = x.scale * w.scale;
  const bool is_integer = x.dtype == Dtype::int8 && w.dtype == Dtype::int8;
  for (std::uint64_t m = 0; m < x.rows(); ++m) {
    for (std::uint64_t n = 0; n < w.columns(); ++n) {
      Sum sum{.is_integer = is_integer};
      if (in.size() == 3) sum.start(*in[2], n);
      for (std::uint64_t k = 0; k < x.columns(); ++k) sum.add(x, m * x.columns() + k, w, k * w.columns() + n);
      const auto to = output_column(out, n);
      store(sum, scale, out[to.output], m * out[to.output].columns() + to.column);
    }
  }
}

void evaluate_matmul(const Operator& op, const Inputs& in, Outputs& out) {
  const Array& a = *in[0];
  const Array& b = *in[1];
  const bool transposed = op.flag("transpose_b", false);
  const std::uint64_t m_count = a.shape[a.shape.size() - 2];
  const std::uint64_t k_count = a.columns();
  const std::uint64_t n_count = out[0].columns();
  const double scale = a.scale * b.scale;
  for (std::uint64_t row = 0; row < a.rows(); ++row) {
    const std::uint64_t b_start = row / m_count * k_count * n_count;
    for (std::uint64_t n = 0; n < n_count; ++n) {
      Sum sum{.is_integer = a.dtype == Dtype::int8 && b.dtype == Dtype::int8};
      for (std::uint64_t k = 0; k < k_count; ++k) {
        sum.add(a, row * k_count + k, b, b_start + (transposed ? n * k_count + k : k * n_count + n));
      }
      store(sum, scale, out[0], row * n_count + n);
    }
  }
}

}  // namespace archsim
