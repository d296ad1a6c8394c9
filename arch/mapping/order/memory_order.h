// Which groups must be complete before a group may read or write l2 and DRAM, and the same for the host.
#pragma once

#include <vector>

#include "arch/mapping/order/dependencies.h"
#include "arch/mapping/plan/memory_plan.h"
#include "arch/mapping/plan/schedule.h"

namespace archsim {

/// Counter 0 counts the groups that every accelerator signals, counter 1 the host's signals (the launch is its first).
struct MemoryOrder {
  static constexpr unsigned kGroups = 0, kHost = 1;  // counters
  static constexpr unsigned kLoad = 0, kStore = 1, kHostStream = 2;

  Dependencies dependencies;
  struct Nodes {
    std::size_t reads = 0, writes = 0;  // of a group of accelerators; of the host's, both the same
  };
  std::vector<Nodes> groups;       // by group
  std::vector<std::size_t> loops;  // node of loop_begin, by schedule item

  const Counts& before_reading(std::uint32_t group) const { return dependencies.wait[groups[group].reads]; }
  const Counts& before_writing(std::uint32_t group) const { return dependencies.wait[groups[group].writes]; }
  const LoopDependencies& loop(std::size_t item) const { return dependencies.loops[loops[item]]; }
};

MemoryOrder order_memory(const Trace& trace, const Schedule& schedule, const MemoryPlan& memory);

}  // namespace archsim
