#include "arch/mapping/emit/context.h"

namespace archsim {

Matrix matrix_of(const MappingContext& context, const TensorUse& use) {
  const auto& tensor = context.tensor(use);
  const std::uint64_t columns = tensor.shape.empty() ? 1 : tensor.shape.back();
  return {.address = context.memory.address(use),
          .rows = tensor.elements() / columns,
          .columns = columns,
          .element_bytes = bits(tensor.dtype) / 8,
          .dtype = tensor.dtype,
          .exact_scale = tensor.scale,
          .scale = static_cast<float>(tensor.scale)};
}

Dma packed(const Matrix& matrix, const Box& box) {
  const std::uint64_t row_bytes = box.columns * matrix.element_bytes;
  // Whole rows are one piece.
  if (box.columns == matrix.columns) return {.row_bytes = narrow(row_bytes * box.rows), .rows = 1};
  return {.row_bytes = narrow(row_bytes),
          .rows = narrow(box.rows),
          .memory_row_pitch = static_cast<std::int64_t>(matrix.row_bytes()),
          .local_row_pitch = narrow(row_bytes)};
}

}  // namespace archsim
