#include "models/roofline/moment.h"

#include <algorithm>

namespace archsim {

Work& Work::operator+=(const Work& more) {
  array_s += more.array_s;
  vector_s += more.vector_s;
  host_s += more.host_s;
  bytes += more.bytes;
  return *this;
}

Work& Work::operator-=(const Work& less) {
  array_s -= less.array_s;
  vector_s -= less.vector_s;
  host_s -= less.host_s;
  bytes -= less.bytes;
  return *this;
}

void Moment::append(Dependence dependence, const Work& work) {
  dependence_.push_back(dependence);
  auto sum = sums_.back();
  sum += work;
  sums_.push_back(sum);
}

Earliest Moment::after(const NodeSet& nodes, double bytes_per_second) const {
  Work work;
  const auto end = first_ + static_cast<std::uint32_t>(dependence_.size());
  for (auto range = nodes.rbegin(); range != nodes.rend() && range->second > first_; ++range) {
    work += sums_[std::min(range->second, end) - first_];
    work -= sums_[std::max(range->first, first_) - first_];
  }
  // Of nodes that do not need the moment it says nothing.
  const bool none_follows = work.array_s <= 0.0 && work.vector_s <= 0.0 && work.host_s <= 0.0 && work.bytes <= 0.0;
  if (none_follows && own_ != kNobody && !contains(nodes, own_)) return {};
  const double bytes = std::max(0.0, work.bytes - bytes_on_chip_);
  const double transfer_s = bytes_per_second > 0.0 ? bytes / bytes_per_second : 0.0;
  return {earliest_.time_s + std::max({work.array_s, work.vector_s, work.host_s, transfer_s}), earliest_.bytes + bytes};
}

}  // namespace archsim
