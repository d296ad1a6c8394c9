#include "models/stream/timeline.h"

#include <algorithm>

namespace archsim {

Time Timeline::wait_until(Time end, std::size_t reason) {
  if (end <= until_) return Time::zero();
  const Time added = end - until_;
  waits_[reason] += added * weight_;
  until_ = end;
  return added;
}

Time Timeline::busy_until(Time end) {
  if (end <= until_) return Time::zero();
  const Time added = end - until_;
  busy_ += added * weight_;
  until_ = end;
  return added;
}

Timeline::Split Timeline::split_until(Time end, Time busy, const Waits& weights, std::size_t otherwise) {
  Split split;
  if (end <= until_) return split;
  split.busy = std::min(busy, end - until_);
  const Time rest = end - until_ - split.busy;
  Time total = Time::zero();
  for (const Time weight : weights) total += weight;
  Time given = Time::zero();
  for (std::size_t i = 0; i < weights.size() && total > Time::zero(); ++i) {
    split.waits[i] = Time(static_cast<std::uint64_t>(static_cast<Wide>(rest.value) * weights[i].value / total.value));
    given += split.waits[i];
  }
  const auto heaviest = static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  split.waits[total == Time::zero() ? otherwise : heaviest] += rest - given;  // what rounding left
  busy_ += split.busy * weight_;
  for (std::size_t i = 0; i < waits_.size(); ++i) waits_[i] += split.waits[i] * weight_;
  until_ = end;
  return split;
}

EngineReport Timeline::report(std::string name, Time elapsed) const {
  EngineReport report{.name = std::move(name)};
  Time left = elapsed;
  const auto take = [&left](Time wanted) {
    const Time taken = std::min(wanted, left);
    left -= taken;
    return taken;
  };
  for (std::size_t i = 0; i < reasons_.size(); ++i) report.waits.emplace_back(reasons_[i], take(waits_[i]));
  report.busy = take(busy_);
  report.idle = left;
  return report;
}

}  // namespace archsim
