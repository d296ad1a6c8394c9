#include "arch/program/placement.h"

#include <algorithm>

#include "arch/describe/diagnostic.h"
#include "arch/program/numbers/element.h"

namespace archsim {

MatrixShape matrix_shape(const Tensor& tensor) {
  const std::uint64_t columns = tensor.shape.empty() ? 1 : tensor.shape.back();
  return {columns == 0 ? 0 : tensor.elements() / columns, columns};
}

TileStart tile_start(const TileLayout& layout, MatrixShape shape, std::uint64_t row, std::uint64_t column) {
  if (layout.tile_rows == 0) return {0, shape.columns};
  const std::uint64_t first_row = row / layout.tile_rows * layout.tile_rows;
  const std::uint64_t first_column = column / layout.tile_columns * layout.tile_columns;
  const std::uint64_t height = std::min<std::uint64_t>(layout.tile_rows, shape.rows - first_row);
  const std::uint64_t width = std::min<std::uint64_t>(layout.tile_columns, shape.columns - first_column);
  const std::uint64_t before = layout.columns_first ? first_row * shape.columns + height * first_column
                                                    : first_column * shape.rows + width * first_row;
  return {before, width};
}

std::uint64_t element_offset(const TileLayout& layout, MatrixShape shape, std::uint64_t row, std::uint64_t column) {
  const auto tile = tile_start(layout, shape, row, column);
  if (layout.tile_rows == 0) return row * shape.columns + column;
  return tile.offset + row % layout.tile_rows * tile.columns + column % layout.tile_columns;
}

std::uint64_t copy_address(const Placement& placement, const std::vector<std::uint32_t>& copy) {
  ARCHSIM_ASSERT(copy.size() == placement.copy_stride.size(), "a placement has one stride for each copy dimension");
  std::uint64_t address = placement.address;
  for (std::size_t i = 0; i < copy.size(); ++i) address += copy[i] * placement.copy_stride[i];
  return address;
}

void for_each_run(const Tensor& tensor, const Placement& placement, const std::vector<std::uint32_t>& copy,
                  const std::function<void(const PlacedRun&)>& visit) {
  const auto shape = matrix_shape(tensor);
  const auto size = bytes_of(tensor.dtype);
  const std::uint64_t base = copy_address(placement, copy);
  const std::uint64_t step = placement.layout.tile_rows == 0 ? shape.columns : placement.layout.tile_columns;
  for (std::uint64_t row = 0; row < shape.rows; ++row) {
    for (std::uint64_t column = 0; column < shape.columns; column += step) {
      const std::uint64_t count = std::min(step, shape.columns - column);
      visit({.offset = (row * shape.columns + column) * size,
             .address = base + element_offset(placement.layout, shape, row, column) * size,
             .bytes = count * size});
    }
  }
}

}  // namespace archsim
