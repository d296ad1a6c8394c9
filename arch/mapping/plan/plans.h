// The plan of every group, for one split of the scratchpad.
#pragma once

#include <map>

#include "arch/mapping/plan/known_plans.h"
#include "arch/mapping/plan/memory_plan.h"
#include "arch/mapping/tile/attention_plan.h"
#include "arch/mapping/tile/product_plan.h"

namespace archsim {

struct Plans {
  ScratchpadSplit split;
  double cycles = 0.0;                                // estimated, of all products and attention of the run
  std::map<std::uint32_t, ProductShape> shapes;       // by group
  std::map<std::uint32_t, ProductPlan> products;      // by group
  std::map<std::uint32_t, AttentionPlan> attentions;  // by group
  std::map<std::uint32_t, WeightTiles> weights;       // by tensor: how it lies in DRAM
};

/// Tries several splits and keeps the one with the least estimated time in products and attention. Errors: groups for which no tile
/// fits, with the bytes that they need, and choices of the user that cannot be.
Checked<Plans> make_plans(const Trace& trace, const MachineView& machine, const Schedule& schedule,
                          const MemoryPlan& memory, KnownPlans& known, const Overrules& overrules = {});

}  // namespace archsim
