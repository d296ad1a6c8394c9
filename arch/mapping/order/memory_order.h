// Which groups must be complete before a group may read or write l2 and DRAM, and the same for the host.
#pragma once

#include <vector>

#include "arch/mapping/order/dependencies.h"
#include "arch/mapping/plan/memory_plan.h"
#include "arch/mapping/schedule/schedule.h"

namespace archsim {

/// Counter 0 counts the groups that every accelerator signals, counter 1 the host's signals (the launch is its first, and if
/// it launches each group there is one for each).
struct MemoryOrder {
  static constexpr unsigned kGroups = 0, kHost = 1;  // counters
  static constexpr unsigned kLoad = 0, kStore = 1, kHostStream = 2;

  Dependencies dependencies;
  struct Nodes {
    std::size_t reads = 0, writes = 0;  // of a group of accelerators; of the host's, both the same
    std::size_t launch = 0, begin = 0;  // of a group of accelerators, if the host launches each
  };
  std::vector<Nodes> groups;       // by group
  std::vector<std::size_t> loops;  // node of loop_begin, by schedule item

  const Counts& before_reading(std::uint32_t group) const { return dependencies.wait[groups[group].reads]; }
  const Counts& before_writing(std::uint32_t group) const { return dependencies.wait[groups[group].writes]; }
  /// The host's launch of the group; what the group does, weights too, begins behind it.
  const Counts& before_launching(std::uint32_t group) const { return dependencies.wait[groups[group].launch]; }
  const Counts& before_beginning(std::uint32_t group) const { return dependencies.wait[groups[group].begin]; }
  const LoopDependencies& loop(std::size_t item) const { return dependencies.loops[loops[item]]; }
};

MemoryOrder order_memory(const Trace& trace, const Schedule& schedule, const MemoryPlan& memory, LaunchMode launch);

}  // namespace archsim
