#include "arch/workload/copies.h"

#include <gtest/gtest.h>

namespace archsim {
namespace {

TEST(Copies, UnionCountsEachCopyOnce) {
  EXPECT_EQ(copies_in_union({{{0, 17}}, {{17, 18}}}), 17U + 1);
  EXPECT_EQ(copies_in_union({{{0, 18}}, {{3, 7}}, {{0, 18}}}), 18U);
  // Two rectangles of 3 x 3 that share 2 x 2.
  EXPECT_EQ(copies_in_union({{{0, 3}, {0, 3}}, {{1, 4}, {1, 4}}}), 9U + 9 - 4);
  EXPECT_EQ(copies_in_union({{}, {}}), 1U);  // a tensor without copies is one
}

TEST(Copies, UnionDoesNotCountOneByOne) {
  const std::uint64_t many = std::uint64_t{1} << 31;
  EXPECT_EQ(copies_in_union({{{0, many}, {0, many}}, {{0, 1}, {0, 1}}}), many * many);
}

TEST(Copies, AHeldLoopTouchesOne) {
  Trace trace;
  trace.loops = {{"outer", 3}, {"inner", 5}};
  const TensorUse use{0, {{0, 0}, {1, 2}, {CopyIndex::kFixed, 4}}};
  EXPECT_EQ(copies_touched(trace, use), (CopyBox{{0, 3}, {2, 7}, {4, 5}}));
  EXPECT_EQ(copies_touched(trace, use, 0), (CopyBox{{0, 1}, {2, 7}, {4, 5}}));
}

}  // namespace
}  // namespace archsim
