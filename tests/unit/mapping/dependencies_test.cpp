// Waits by hand, for short codes of one or two streams.
#include "arch/mapping/order/dependencies.h"

#include <gtest/gtest.h>

namespace archsim {
namespace {

using Kind = DependencyNode::Kind;
constexpr std::uint8_t kLoad = 0, kArray = 1, kStore = 2;

DependencyNode access(std::uint8_t stream, std::uint64_t begin, std::uint64_t end, bool writes) {
  return {.stream = stream, .counter = stream, .ranges = {{.begin = begin, .end = end, .writes = writes}}};
}
DependencyNode load(std::uint64_t begin, std::uint64_t end) { return access(kLoad, begin, end, true); }
DependencyNode use(std::uint64_t begin, std::uint64_t end) { return access(kArray, begin, end, false); }
DependencyNode loop(std::uint32_t count) { return {.kind = Kind::loop_begin, .loop_count = count}; }
DependencyNode end() { return {.kind = Kind::loop_end}; }

Dependencies find(const std::vector<DependencyNode>& nodes) {
  return find_dependencies(nodes, {.counters_are_streams = true});
}

TEST(Dependencies, AReadWaitsForTheWriteAndAWriteForTheReads) {
  const auto found = find({load(0, 8), load(8, 16), use(4, 12), load(0, 4), load(4, 8)});
  EXPECT_EQ(found.wait[2][kLoad], 2) << "the later of the two loads that it reads";
  EXPECT_EQ(found.wait[3][kArray], kNoWait) << "the product does not read bytes 0 to 3";
  EXPECT_EQ(found.wait[4][kArray], 1);
}

TEST(Dependencies, WhatAnEarlierWaitImpliesIsLeftOut) {
  // The store waits for the product, which had waited for the load.
  DependencyNode product{.stream = kArray,
                         .counter = kArray,
                         .ranges = {{.begin = 0, .end = 8}, {.begin = 100, .end = 108, .writes = true}}};
  DependencyNode store{
      .stream = kStore, .counter = kStore, .ranges = {{.begin = 0, .end = 8}, {.begin = 100, .end = 108}}};
  const auto found = find({load(0, 8), product, store, store});
  EXPECT_EQ(found.wait[2][kArray], 1);
  EXPECT_EQ(found.wait[2][kLoad], kNoWait);
  EXPECT_EQ(found.wait[3][kArray], kNoWait) << "the store before it waited already";
}

TEST(Dependencies, ALoopWaitsForTheIterationBefore) {
  // A ring of two places: in each iteration two loads, two products.
  const auto found = find({loop(10), load(0, 8), load(8, 16), use(0, 8), use(8, 16), end()});
  const std::int64_t per_iteration = 2;
  EXPECT_EQ(found.loops[0].per_iteration[kLoad], per_iteration);
  EXPECT_EQ(found.wait[3][kLoad], 1);
  EXPECT_EQ(found.wait[4][kLoad], 2);
  EXPECT_EQ(found.wait[1][kArray], 1 - per_iteration) << "the first product of the iteration before";
  EXPECT_EQ(found.wait[2][kArray], 2 - per_iteration);
  EXPECT_EQ(found.total[kArray], 10 * per_iteration);
}

TEST(Dependencies, WhatOnlyTheFirstIterationNeedsIsWaitedForInFrontOfTheLoop) {
  const auto found = find({load(0, 8), loop(3), use(0, 8), end(), load(0, 8)});
  EXPECT_EQ(found.loops[1].fence[kArray][kLoad], 1);
  EXPECT_EQ(found.wait[2][kLoad], kNoWait);
  EXPECT_EQ(found.wait[4][kArray], 3) << "all three iterations read it";
}

TEST(Dependencies, AfterInnerLoopsCountsAreThoseOfTheirLastIteration) {
  const auto found = find({loop(2), loop(5), load(0, 8), use(0, 8), end(), access(kStore, 0, 8, false), end()});
  EXPECT_EQ(found.wait[5][kLoad], 5);
  EXPECT_EQ(found.wait[2][kArray], 0) << "one product back";
  EXPECT_EQ(found.loops[1].fence[kLoad][kStore], 1 - 1) << "the store of the outer iteration before";
}

TEST(Dependencies, GroupsOfSeveralStreamsWaitForEachOther) {
  // Counter 0 counts groups; stream 0 reads, stream 1 writes and tells.
  const auto read = [](std::uint64_t begin) {
    return DependencyNode{
        .stream = 0, .counter = 0, .advances = false, .ranges = {{.begin = begin, .end = begin + 8, .counts = false}}};
  };
  const auto write = [](std::uint64_t begin, std::uint64_t from) {
    return DependencyNode{.stream = 1,
                          .counter = 0,
                          .ranges = {{.begin = begin, .end = begin + 8, .writes = true},
                                     {.begin = from, .end = from + 8, .waits = false}}};
  };
  // Group 1 writes a; group 2 reads a and writes b; group 3 reads b and writes a.
  const auto found = find_dependencies({write(0, 64), read(0), write(8, 0), read(8), write(0, 8)}, {});
  EXPECT_EQ(found.wait[1][0], 1);
  EXPECT_EQ(found.wait[3][0], 2);
  EXPECT_EQ(found.wait[4][0], 2) << "group 2 read a";
}

}  // namespace
}  // namespace archsim
