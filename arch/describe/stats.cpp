#include "arch/describe/stats.h"

#include "arch/units/text.h"

namespace archsim {

void TimeShares::add_wait(std::string_view reason, Time span) {
  const auto found = waits_.find(reason);
  if (found != waits_.end()) {
    found->second += span;
  } else {
    waits_.emplace(reason, span);
  }
}

Time TimeShares::wait(std::string_view reason) const {
  const auto found = waits_.find(reason);
  return found == waits_.end() ? Time::zero() : found->second;
}

Time TimeShares::sum() const {
  Time sum = busy_ + idle_;
  for (const auto& [reason, span] : waits_) sum += span;
  return sum;
}

void TimeShares::fill_idle(Time elapsed) {
  ARCHSIM_ASSERT(sum() <= elapsed, "shares of " + show(sum()) + " in " + show(elapsed));
  idle_ += elapsed - sum();
}

void TimeShares::check_sum(Time elapsed, std::string_view engine) const {
  ARCHSIM_ASSERT(sum() == elapsed,
                 std::string(engine) + ": the shares are " + show(sum()) + " of " + show(elapsed) + " elapsed");
}

}  // namespace archsim
