// The SMMU: what a stream, a stride and a loop cost over a TLB, and that it is off by default.
#include "models/stream/translation.h"

#include <gtest/gtest.h>

#include "tests/fresh_kernel.h"
#include "tests/models/accel/commands.h"

namespace archsim {
namespace {

constexpr std::uint64_t kPage = 64 << 10;

Piece piece(std::uint64_t base, std::uint64_t row_bytes, std::uint64_t rows = 1, std::int64_t pitch = 0) {
  return {.base = base, .row_bytes = row_bytes, .rows = rows, .pitch = pitch};
}

TEST(Translation, APageIsWalkedOnceWhileItStays) {
  Translation translation(kPage, 4, 100_ns);
  EXPECT_EQ(translation.translate(piece(0, 1000), 10_ns), 110_ns);
  EXPECT_EQ(translation.translate(piece(kPage - 1000, 1000), 200_ns), 200_ns);
  EXPECT_EQ(translation.translate(piece(kPage - 1, 2), 300_ns), 400_ns);  // the next page
  EXPECT_EQ(translation.walks(), 2U);
}

TEST(Translation, WalksAreOneAtATime) {
  Translation translation(kPage, 16, 100_ns);
  EXPECT_EQ(translation.translate(piece(0, 100, 5, kPage), 0_ns), 500_ns);
  EXPECT_EQ(translation.translate(piece(8 * kPage, 1), 50_ns), 600_ns);
}

TEST(Translation, TheOneUnusedForLongestGoes) {
  Translation translation(kPage, 2, 1_ns);
  for (const std::uint64_t page : {0, 1, 0, 2}) translation.translate(piece(page * kPage, 1), 0_ns);
  EXPECT_EQ(translation.walks(), 3U);
  translation.translate(piece(0, 1), 0_ns);
  EXPECT_EQ(translation.walks(), 3U);
  translation.translate(piece(kPage, 1), 0_ns);
  EXPECT_EQ(translation.walks(), 4U);
}

/// A loop over one page more than there are entries never hits.
TEST(Translation, ALoopThatDoesNotFitNeverHits) {
  constexpr unsigned kEntries = 8, kTurns = 5;
  Translation fits(kPage, kEntries, 1_ns), does_not(kPage, kEntries, 1_ns);
  for (unsigned turn = 0; turn < kTurns; ++turn) {
    for (unsigned page = 0; page <= kEntries; ++page) {
      if (page < kEntries) fits.translate(piece(page * kPage, 1), 0_ns);
      does_not.translate(piece(page * kPage, 1), 0_ns);
    }
  }
  EXPECT_EQ(fits.walks(), kEntries);
  EXPECT_EQ(does_not.walks(), kTurns * (kEntries + 1));
}

class AcceleratorSmmu : public FreshKernel {
 protected:
  /// A load of `bytes`: its cycles at 1 GHz.
  AloneResult load(std::uint64_t bytes, unsigned entries, Bytes page) {
    TearDown();
    SetUp();
    AloneSetup setup;
    setup.memory.latency = 100_ns;
    setup.params.smmu = {.entries = entries, .page = page, .walk = 300_cycles};
    return run_alone(setup, streams({{Engine::load, repeated(dense(bytes), 1)}}));
  }
};

TEST_F(AcceleratorSmmu, AStreamPaysAWalkForEachPage) {
  constexpr std::uint64_t kBytes = 1 << 20;
  const auto plain = load(kBytes, 0, 64_KiB);
  EXPECT_EQ(plain.event("page_walk"), 0U);
  // Set-up, then for each page its walk and the requests that wait for it; the last page's data come after the latency.
  const std::uint64_t pages = kBytes / kPage, of_a_page = kPage / 64;
  const auto walked = load(kBytes, 16, 64_KiB);
  EXPECT_EQ(walked.event("page_walk"), pages);
  const std::uint64_t before = plain.last(Engine::load).value, after = walked.last(Engine::load).value;
  EXPECT_GE(after, before + 300);
  EXPECT_LE(after, before + 300 * pages);
  EXPECT_GE(after, 32 + 300 + 100 + pages * of_a_page);
  // A walk is longer than what is still under way when a page ends, so every page costs most of it.
  EXPECT_GE(after, before + (300 - 100 - 16 * 8) * pages);
}

TEST_F(AcceleratorSmmu, LargerPagesCostLess) {
  Cycles before = load(1 << 20, 16, 4_KiB).last(Engine::load);
  for (const Bytes page : {16_KiB, 64_KiB, 256_KiB, 1_MiB}) {
    const Cycles now = load(1 << 20, 16, page).last(Engine::load);
    EXPECT_LT(now, before) << page.value;
    before = now;
  }
}

}  // namespace
}  // namespace archsim
