// When commands come to issue, as sums of what the cycle contract says.
#include "models/accel/timing/issue.h"

#include <gtest/gtest.h>

namespace archsim {
namespace {

constexpr std::uint64_t kFetch = 3, kCheck = 3;
constexpr LoopStep kStep{}, kJump{.jumps = true};

/// Commands without waits, each behind these loop commands; the first one waits until `begin`.
std::vector<std::uint64_t> issues(unsigned depth, const std::vector<std::vector<LoopStep>>& passed,
                                  std::uint64_t begin = 0) {
  IssueClock clock(depth);
  std::vector<std::uint64_t> when;
  for (const auto& steps : passed) {
    const Cycles arrived = clock.arrive(steps);
    when.push_back(std::max(arrived.value, when.empty() ? begin : 0));
    clock.issued(Cycles(when.back()));
  }
  return when;
}

TEST(IssueClock, ACommandACycle) {
  EXPECT_EQ(issues(4, {{}, {}, {}, {}, {}, {}}), (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5}));
}

TEST(IssueClock, LoopCommandsTakeACycleWhereNothingWaits) {
  const auto when = issues(4, {{}, {}, {}, {}, {kStep, kStep}, {}});
  // The fourth command was taken when the first one had issued.
  EXPECT_EQ(when[3], 0 + kCheck);
  EXPECT_EQ(when[4], when[3] + 2 + 1);
  EXPECT_EQ(when[5], when[4] + 1);
}

TEST(IssueClock, AJumpFetchesAgain) {
  const auto when = issues(4, {{}, {}, {}, {}, {kJump}, {}});
  const std::uint64_t jump = when[3] - kCheck + 1;
  EXPECT_EQ(when[4], jump + 1 + kFetch + kCheck);
}

TEST(IssueClock, CommandsThatWaitHideAJump) {
  const std::vector<std::vector<LoopStep>> stream{{}, {}, {}, {kJump}};
  EXPECT_EQ(issues(4, stream, 100), (std::vector<std::uint64_t>{100, 101, 102, 103}));
}

TEST(IssueClock, TheEndOfALoopRestoresItsRegisters) {
  constexpr LoopStep kLeft{.restored = 5};
  const auto when = issues(8, {{}, {}, {}, {}, {kLeft}});
  EXPECT_EQ(when[4], when[3] + 5 + 1 + 1);
}

TEST(IssueClock, AShortQueueFetchesOneAfterAnother) {
  // A place is free again in the cycle behind the one in which its command is taken.
  const auto when = issues(1, {{}, {}, {}, {}, {}, {}, {}});
  for (std::size_t i = 4; i < when.size(); ++i) EXPECT_EQ(when[i] - when[i - 1], kFetch + 1) << i;
}

}  // namespace
}  // namespace archsim
