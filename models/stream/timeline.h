// Where the time of one engine went, from the start on without a gap. Each piece of time is given away once, and whoever comes
// first has it: time up to an end that is accounted for already is not asked for again.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arch/machine/run_result.h"
#include "arch/units/quantity.h"

namespace archsim {

class Timeline {
 public:
  static constexpr std::size_t kMostReasons = 12;
  using Waits = std::array<Time, kMostReasons>;
  static constexpr Waits no_waits() {
    constexpr Time kNone = Time::zero();
    return {kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone};
  }

  /// `reasons` names the waits, by index.
  explicit Timeline(std::vector<std::string_view> reasons) : reasons_(std::move(reasons)) {}

  Time until() const { return until_; }
  /// From now on each piece counts so often, as it stands for others that are not simulated.
  void set_weight(std::uint64_t weight) { weight_ = weight; }
  /// Each returns the time that it added.
  Time wait_until(Time end, std::size_t reason);
  Time busy_until(Time end);

  struct Split {
    Time busy = Time::zero();
    Waits waits = no_waits();
  };
  /// Up to `end`: `busy` of it at most, and the rest in proportion to `weights`; to `otherwise` if all are zero.
  Split split_until(Time end, Time busy, const Waits& weights, std::size_t otherwise);

  /// The rest of `elapsed` is idle. A run that a fault ended may stop before the end of work that was planned: that is cut off.
  EngineReport report(std::string name, Time elapsed) const;
  Time busy() const { return busy_; }

 private:
  std::vector<std::string_view> reasons_;
  Time until_ = Time::zero();
  Time busy_ = Time::zero();
  Waits waits_ = no_waits();
  std::uint64_t weight_ = 1;
};

}  // namespace archsim
