#include <fmt/format.h>

#include <Eigen/Core>
#include <cstring>

#include "arch/program/accesses.h"
#include "arch/program/datapath/units.h"
#include "arch/program/numbers/element.h"

namespace archsim {
namespace {

// Unsigned, because int32 sums wrap.
using IntegerMatrix = Eigen::Matrix<std::uint32_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using FloatMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Shape {
  std::uint32_t rows = 0, columns = 0, pitch = 0;
};

template <class Matrix>
Matrix read_matrix(LocalMemories& local, LocalAddress start, Dtype dtype, Shape shape) {
  Matrix matrix(shape.rows, shape.columns);
  for (std::uint32_t r = 0; r < shape.rows; ++r) {
    const auto row = local.at({start.value + r * shape.pitch}, shape.columns * bytes_of(dtype));
    for (std::uint32_t c = 0; c < shape.columns; ++c) {
      const std::byte* element = &row[c * bytes_of(dtype)];
      if constexpr (std::is_same_v<typename Matrix::Scalar, float>) {
        matrix(r, c) = read_element(element, dtype);
      } else {
        matrix(r, c) = static_cast<std::uint32_t>(read_integer(element, dtype));
      }
    }
  }
  return matrix;
}

template <class Matrix>
void write_matrix(const Matrix& matrix, LocalMemories& local, LocalAddress start, std::uint32_t pitch) {
  for (Eigen::Index r = 0; r < matrix.rows(); ++r) {
    const auto row =
        local.at({start.value + static_cast<std::uint32_t>(r) * pitch}, static_cast<std::uint64_t>(matrix.cols()) * 4);
    std::memcpy(row.data(), &matrix(r, 0), row.size());
  }
}

void multiply(IntegerMatrix& out, const IntegerMatrix& a, const IntegerMatrix& w) { out.noalias() += a * w; }

/// Eigen's product may sum in any order; the array sums in ascending k.
void multiply(FloatMatrix& out, const FloatMatrix& a, const FloatMatrix& w) {
  for (Eigen::Index m = 0; m < a.rows(); ++m) {
    for (Eigen::Index k = 0; k < a.cols(); ++k) {
      const float factor = a(m, k);
      for (Eigen::Index n = 0; n < w.cols(); ++n) out(m, n) += factor * w(k, n);
    }
  }
}

template <class Matrix>
void run(const Matmul& matmul, Dtype accumulator, LocalMemories& local) {
  const Shape out_shape{matmul.m, matmul.n, matmul.out_pitch};
  const auto a = read_matrix<Matrix>(local, matmul.a, matmul.a_dtype, {matmul.m, matmul.k, matmul.a_pitch});
  const Shape stored =
      matmul.transpose_w ? Shape{matmul.n, matmul.k, matmul.w_pitch} : Shape{matmul.k, matmul.n, matmul.w_pitch};
  Matrix w = read_matrix<Matrix>(local, matmul.w, matmul.w_dtype, stored);
  if (matmul.transpose_w) w.transposeInPlace();
  Matrix out = Matrix::Zero(matmul.m, matmul.n);
  if (matmul.accumulate) out = read_matrix<Matrix>(local, matmul.out, accumulator, out_shape);
  multiply(out, a, w);
  write_matrix(out, local, matmul.out, matmul.out_pitch);
}

}  // namespace

void execute_matmul(const Matmul& matmul, LocalMemories& local) {
  if (matmul.m == 0 || matmul.n == 0) return;
  for (const Packing& packing : {matmul.a_packing(), matmul.w_packing()}) {
    if (!packing.is_plain()) {
      throw MachineFault(
          fmt::format("the functional executor does not multiply {} by {} in blocks, groups or half bytes",
                      name_of(matmul.a_dtype), name_of(matmul.w_dtype)));
    }
  }
  if (matmul.a_dtype == Dtype::int8 && matmul.w_dtype == Dtype::int8) {
    run<IntegerMatrix>(matmul, Dtype::int32, local);
  } else {
    run<FloatMatrix>(matmul, Dtype::fp32, local);
  }
}

}  // namespace archsim
