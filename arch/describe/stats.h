// What a block measures: counts, totals, peaks, and where an engine's time went. Ratios are made at report time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "arch/describe/diagnostic.h"
#include "arch/units/quantity.h"

namespace archsim {

struct Count {
  std::uint64_t value = 0;

  Count& operator++() { return ++value, *this; }
  Count& operator+=(std::uint64_t more) { return value += more, *this; }
  friend bool operator==(Count, Count) = default;
};

template <class Q>
struct Total {
  Q sum = Q::zero();

  Total& operator+=(Q more) { return sum += more, *this; }
  friend bool operator==(const Total&, const Total&) = default;
};

template <class Q>
struct Peak {
  Q highest = Q::zero();

  void observe(Q now) { highest = std::max(highest, now); }
  friend bool operator==(const Peak&, const Peak&) = default;
};

/// Where the time of one engine went: busy, waiting for something named, idle. The shares sum to the elapsed time.
class TimeShares {
 public:
  void add_busy(Time span) { busy_ += span; }
  /// `reason` is what was waited for, such as "dram": the column is then `wait_dram_s`.
  void add_wait(std::string_view reason, Time span);
  void add_idle(Time span) { idle_ += span; }

  Time busy() const { return busy_; }
  Time idle() const { return idle_; }
  const std::map<std::string, Time, std::less<>>& waits() const { return waits_; }
  Time wait(std::string_view reason) const;
  Time sum() const;

  /// What is left of `elapsed` was idle. It is a bug of ours if the shares already exceed it.
  void fill_idle(Time elapsed);
  /// It is a bug of ours if the shares do not sum to `elapsed`; `engine` names the culprit.
  void check_sum(Time elapsed, std::string_view engine) const;

  friend bool operator==(const TimeShares&, const TimeShares&) = default;

 private:
  Time busy_ = Time::zero();
  Time idle_ = Time::zero();
  std::map<std::string, Time, std::less<>> waits_;
};

}  // namespace archsim
