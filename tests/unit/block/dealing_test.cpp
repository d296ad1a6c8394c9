#include "arch/block/memory/dealing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace archsim {
namespace {

TEST(Dealing, BytesBeforeAnOffsetEqualCountingThem) {
  std::mt19937_64 random(3);
  for (const auto& [granule, ways] :
       {std::pair(64u, 4u), std::pair(96u, 3u), std::pair(1024u, 8u), std::pair(7u, 1u)}) {
    const Dealing dealing(granule, ways);
    std::vector<std::uint64_t> count(ways, 0);
    for (std::uint64_t offset = 0; offset < (ways + 3) * granule * ways; ++offset) {
      for (unsigned way = 0; way < ways; ++way) ASSERT_EQ(dealing.before(offset, way), count[way]);
      const std::uint64_t round = offset / granule / ways;  // turned by the sum of its digits, here one or two
      ASSERT_EQ(dealing.way_of(offset), (offset / granule + (round < ways ? round : 1 + round % ways)) % ways);
      ++count[dealing.way_of(offset)];
    }
  }
}

TEST(Dealing, APitchOfAPowerOfTwoMeetsEveryWayAsOften) {
  for (const unsigned ways : {2u, 4u, 8u, 32u}) {
    const Dealing dealing(1024, ways);
    for (std::uint64_t pitch = 1024; pitch <= 1024u * ways * ways * ways; pitch *= 2) {
      std::vector<unsigned> rows(ways, 0);
      for (std::uint64_t row = 0; row < 16u * ways; ++row) ++rows[dealing.way_of(row * pitch)];
      const auto [least, most] = std::minmax_element(rows.begin(), rows.end());
      EXPECT_GE(*least, 8u) << ways << " ways, pitch " << pitch;
      EXPECT_LE(*most, 24u) << ways << " ways, pitch " << pitch;
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
      const auto share = dealing.share(first, end, way);
      EXPECT_EQ(share.end - share.first, dealing.before(end, way) - dealing.before(first, way));
      if (!share.is_empty()) {
        EXPECT_EQ(share.first, dealing.before(first, way));
      }
      std::uint64_t pieces = 0;
      dealing.for_each_piece(first, end, way, [&](std::uint64_t a, std::uint64_t b) {
        EXPECT_LT(a, b);
        EXPECT_EQ(dealing.way_of(a), way);
        EXPECT_EQ(dealing.way_of(b - 1), way);
        pieces += b - a;
      });
      EXPECT_EQ(pieces, share.end - share.first);
      bytes += pieces;
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
