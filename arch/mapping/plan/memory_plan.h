// Where every tensor lies.
#pragma once

#include <vector>

#include "arch/mapping/emit/tape.h"
#include "arch/mapping/schedule/schedule.h"
#include "arch/program/program.h"

namespace archsim {

struct MemoryPlan {
  std::vector<Placement> placements;  // by tensor; those that fusion leaves without a place have `is_placed` false
  std::vector<bool> is_placed;
  std::vector<MemoryPeak> peaks;
  std::vector<Spill> spills;

  MemoryAddress address(const TensorUse& use) const;
  /// All copies of a tensor.
  std::uint64_t begin(std::uint32_t tensor) const { return placements[tensor].address; }
  std::uint64_t end(const Trace& trace, std::uint32_t tensor) const;
};

/// Weights, constants, inputs and outputs lie in DRAM for good; tensors of equal `copies` there lie as [copy][tensor], so
/// they share one stride; the copies that a joined tensor stands for lie next to each other. Everything else has a place while it lives: in l2, largest traffic first, or in DRAM.
/// Errors: a memory that is too small, with what it would need.
Checked<MemoryPlan> plan_memory(const Trace& trace, const MachineView& machine, const Schedule& schedule);

}  // namespace archsim
