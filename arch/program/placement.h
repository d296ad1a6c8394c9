// Where the elements of a placed tensor are.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "arch/program/program.h"

namespace archsim {

struct MatrixShape {
  std::uint64_t rows = 0, columns = 0;
};

/// A tensor as the matrix that a TileLayout speaks of.
MatrixShape matrix_shape(const Tensor& tensor);

/// Offset, in elements, of the first element of the tile that holds element (row, column); and its real width.
struct TileStart {
  std::uint64_t offset = 0;
  std::uint64_t columns = 0;
};
TileStart tile_start(const TileLayout& layout, MatrixShape shape, std::uint64_t row, std::uint64_t column);

/// Offset, in elements, of element (row, column).
std::uint64_t element_offset(const TileLayout& layout, MatrixShape shape, std::uint64_t row, std::uint64_t column);

/// Address of the copy with these indices, one for each of the tensor's copy dimensions.
std::uint64_t copy_address(const Placement& placement, const std::vector<std::uint32_t>& copy);

/// A piece of a row that is contiguous both row-major and as placed. In bytes; `offset` counts from the copy's row-major start.
struct PlacedRun {
  std::uint64_t offset = 0;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};
/// Calls `visit` for the pieces of one copy in row-major order.
void for_each_run(const Tensor& tensor, const Placement& placement, const std::vector<std::uint32_t>& copy,
                  const std::function<void(const PlacedRun&)>& visit);

}  // namespace archsim
