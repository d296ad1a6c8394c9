#include "arch/block/memory/dealing.h"

#include <gtest/gtest.h>

#include <random>

namespace archsim {
namespace {

TEST(Dealing, BytesBeforeAnOffsetEqualCountingThem) {
  std::mt19937_64 random(3);
  for (const auto& [granule, ways] :
       {std::pair(64u, 4u), std::pair(96u, 3u), std::pair(1024u, 8u), std::pair(7u, 1u)}) {
    const Dealing dealing(granule, ways);
    std::vector<std::uint64_t> count(ways, 0);
    for (std::uint64_t offset = 0; offset < 3 * granule * ways; ++offset) {
      for (unsigned way = 0; way < ways; ++way) ASSERT_EQ(dealing.before(offset, way), count[way]);
      ASSERT_EQ(dealing.way_of(offset), (offset / granule) % ways);
      ++count[dealing.way_of(offset)];
    }
  }
}

TEST(Dealing, PiecesOfAllWaysCoverARangeOnce) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 300; ++round) {
    const Dealing dealing(1 + random() % 100, 1 + static_cast<unsigned>(random() % 6));
    const std::uint64_t first = random() % 1000, end = first + 1 + random() % 1000;
    std::uint64_t bytes = 0;
    for (unsigned way = 0; way < dealing.ways(); ++way) {
      const std::uint64_t share = dealing.before(end, way) - dealing.before(first, way);
      std::uint64_t pieces = 0;
      dealing.for_each_piece(first, end, way, [&](std::uint64_t a, std::uint64_t b) {
        EXPECT_LT(a, b);
        EXPECT_EQ(dealing.way_of(a), way);
        EXPECT_EQ(dealing.way_of(b - 1), way);
        pieces += b - a;
      });
      EXPECT_EQ(pieces, share);
      bytes += share;
    }
    EXPECT_EQ(bytes, end - first);
  }
}

TEST(Rows, TouchingRowsAreOneAndDescendingOnesTurnRound) {
  Extent extent;
  extent.base = 4096;
  extent.row_bytes = 64;
  extent.rows = 8;
  extent.pitch = 64;
  EXPECT_EQ(Rows::of(extent).count, 1u);
  EXPECT_EQ(Rows::of(extent).bytes, 8u * 64);
  extent.pitch = -256;
  EXPECT_EQ(Rows::of(extent).base, 4096u - 7 * 256);
  EXPECT_EQ(Rows::of(extent).end(), 4096u + 64);
}

}  // namespace
}  // namespace archsim
