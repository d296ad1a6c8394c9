#include "models/accel/timing/issue.h"

#include <algorithm>

namespace archsim {
namespace {

constexpr std::int64_t kFetch = 3;             // from asking for a command until it can be taken
constexpr std::int64_t kCheck = 3;             // from taking it until it can issue
constexpr std::int64_t kLongAgo = -1'000'000;  // fetching began

}  // namespace

IssueClock::IssueClock(unsigned queue_depth)
    : released_(queue_depth, kLongAgo), last_ask_(kLongAgo), sequencer_free_(kLongAgo) {
  issued_.fill(kLongAgo);
}

std::int64_t IssueClock::next_ask() const { return std::max(last_ask_ + 1, released_[next_]); }

void IssueClock::push(Cycle asked, Cycle released) {
  last_ask_ = asked;
  released_[next_] = released;
  next_ = (next_ + 1) % released_.size();
}

std::int64_t IssueClock::take(Cycle from, Cycle longer) {
  const Cycle asked = next_ask();
  const Cycle taken = std::max({asked + kFetch, sequencer_free_, from}) + longer;
  push(asked, taken + 1);
  sequencer_free_ = taken + 1;
  return taken;
}

void IssueClock::jump(Cycle taken) {
  // What was asked for up to now is thrown away when it comes.
  for (std::size_t i = 0; i < released_.size() && next_ask() <= taken; ++i) {
    const Cycle asked = next_ask();
    push(asked, std::max(asked + kFetch, taken + 1));
  }
  last_ask_ = std::max(last_ask_, taken);
}

Cycles IssueClock::arrive(const std::vector<LoopStep>& passed) {
  for (const LoopStep& step : passed) {
    const Cycle taken = take(kLongAgo, step.restored);
    if (step.jumps) jump(taken);
  }
  const Cycle arrived = take(issued_.front(), 0) + kCheck;
  return Cycles(static_cast<std::uint64_t>(std::max({arrived, issued_.back() + 1, Cycle{0}})));
}

void IssueClock::issued(Cycles when) { issued_ = {issued_[1], issued_[2], static_cast<Cycle>(when.value)}; }

}  // namespace archsim
