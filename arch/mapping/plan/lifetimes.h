// When each tensor holds something that is still needed, and how much traffic it makes.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/mapping/schedule/schedule.h"

namespace archsim {

struct Lifetime {
  struct Span {
    std::uint32_t begin = 0, end = 0;  // schedule items
  };
  std::vector<Span> spans;    // in which it holds something needed, or is being read or written; ascending, apart
  std::uint64_t traffic = 0;  // bytes over the whole run, roughly; for ranking only
  bool is_used() const { return !spans.empty(); }
  bool meets(const Lifetime& other) const;
};

/// What each group reads and writes in memory, without what stays inside the group.
struct GroupUses {
  std::vector<TensorUse> reads, writes;
};
GroupUses uses_of(const Trace& trace, const Group& group);

/// By tensor; of a joined one, with that of its storage. A KV cache is a result, and alive to the end.
std::vector<Lifetime> find_lifetimes(const Trace& trace, const Schedule& schedule);

}  // namespace archsim
