#include "arch/program/placement.h"

#include <gtest/gtest.h>

#include <set>

namespace archsim {
namespace {

TEST(Placement, TilesFollowEachOtherByTheirLayout) {
  // 3 x 5 in tiles of 2 x 3; edge tiles are 2 x 2, 1 x 3 and 1 x 2.
  const MatrixShape shape{3, 5};
  const TileLayout by_rows{.tile_rows = 2, .tile_columns = 3, .columns_first = true};
  EXPECT_EQ(element_offset(by_rows, shape, 0, 2), 2U);
  EXPECT_EQ(element_offset(by_rows, shape, 1, 0), 3U);
  EXPECT_EQ(element_offset(by_rows, shape, 0, 3), 2U * 3);
  EXPECT_EQ(element_offset(by_rows, shape, 1, 4), 2U * 3 + 2 + 1);
  EXPECT_EQ(element_offset(by_rows, shape, 2, 0), 2U * 3 + 2 * 2);
  EXPECT_EQ(element_offset(by_rows, shape, 2, 3), 2U * 3 + 2 * 2 + 1 * 3);
  const TileLayout by_columns{.tile_rows = 2, .tile_columns = 3};
  EXPECT_EQ(element_offset(by_columns, shape, 0, 3), 2U * 3 + 1 * 3);
  EXPECT_EQ(element_offset(by_columns, shape, 2, 0), 2U * 3);
  EXPECT_EQ(element_offset(by_columns, shape, 2, 4), 2U * 3 + 1 * 3 + 2 * 2 + 1);
  EXPECT_EQ(element_offset({}, shape, 2, 4), 2U * 5 + 4);
}

TEST(Placement, EveryLayoutIsAPermutation) {
  for (std::uint32_t rows = 1; rows <= 7; ++rows) {
    for (std::uint32_t columns = 1; columns <= 7; ++columns) {
      for (std::uint32_t tile = 0; tile < 32; ++tile) {
        const TileLayout layout{
            .tile_rows = 1 + tile % 4, .tile_columns = 1 + tile / 4 % 4, .columns_first = tile >= 16};
        std::set<std::uint64_t> offsets;
        for (std::uint32_t r = 0; r < rows; ++r) {
          for (std::uint32_t c = 0; c < columns; ++c) offsets.insert(element_offset(layout, {rows, columns}, r, c));
        }
        ASSERT_EQ(offsets.size(), rows * columns);
        ASSERT_EQ(*offsets.rbegin(), rows * columns - 1);
      }
    }
  }
}

TEST(Placement, CopiesLieAtTheirStrides) {
  const Placement placement{.address = 100, .copy_stride = {1000, 10}};
  EXPECT_EQ(copy_address(placement, {2, 3}), 100U + 2 * 1000 + 3 * 10);
}

}  // namespace
}  // namespace archsim
