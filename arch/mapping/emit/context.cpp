#include "arch/mapping/emit/context.h"

namespace archsim {

Matrix matrix_of(const MappingContext& context, const TensorUse& use) {
  const auto& tensor = context.tensor(use);
  const std::uint64_t columns = tensor.shape.empty() ? 1 : tensor.shape.back();
  const std::uint64_t rows = tensor.elements() / columns;
  // Tiles of all rows are panels. Weights lie in smaller tiles, which are addressed as such.
  const auto& layout = context.memory.placements[use.tensor].layout;
  const bool has_panels = tensor.role == Role::activation && layout.tile_rows == rows;
  return {.address = context.memory.address(use),
          .rows = rows,
          .columns = columns,
          .packing = tensor.packing(),
          .dtype = tensor.dtype,
          .exact_scale = tensor.scale,
          .scale = static_cast<float>(tensor.scale),
          .panel = has_panels ? layout.tile_columns : 0};
}

Dma packed(const Matrix& matrix, const Box& box) {
  const std::uint64_t row_bytes = matrix.bytes(box.columns);
  const std::uint64_t width = matrix.panel_at(box.column).size();
  // Whole rows are one piece.
  if (box.columns == width) return {.row_bytes = narrow(matrix.bytes(box.columns * box.rows)), .rows = 1};
  return {.row_bytes = narrow(row_bytes),
          .rows = narrow(box.rows),
          .memory_row_pitch = static_cast<std::int64_t>(matrix.bytes(width)),
          .local_row_pitch = narrow(row_bytes)};
}

}  // namespace archsim
