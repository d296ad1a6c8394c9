// When each tensor holds something that is still needed, and how much traffic it makes.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/mapping/plan/schedule.h"

namespace archsim {

struct Lifetime {
  std::uint32_t first = 0xFFFFFFFF, last = 0;  // indices into Schedule::items, both included
  std::uint64_t traffic = 0;                   // bytes over the whole run, roughly; for ranking only
  bool is_used() const { return first <= last; }
};

/// What each group reads and writes in memory, without what stays inside the group.
struct GroupUses {
  std::vector<TensorUse> reads, writes;
};
GroupUses uses_of(const Trace& trace, const Group& group);

/// By tensor.
std::vector<Lifetime> find_lifetimes(const Trace& trace, const Schedule& schedule);

}  // namespace archsim
