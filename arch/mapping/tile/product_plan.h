// How a matrix product is cut: over accelerators, and into tiles that fit.
#pragma once

#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "arch/machine/capabilities.h"
#include "arch/mapping/overrule/choices.h"
#include "arch/mapping/plan/memory_plan.h"
#include "arch/mapping/schedule/schedule.h"
#include "arch/mapping/tile/estimates.h"

namespace archsim {

/// What a group of fused operators computes, in sizes.
struct ProductShape {
  std::uint64_t batch = 1;            // independent products, one after another in memory
  std::uint64_t m = 0, k = 0, n = 0;  // of one
  std::uint64_t products = 1;         // 2 for gate and up
  std::uint64_t n_divisor = 0;        // of weights side by side: tiles do not reach over two; 0: there is only one
  Packing a, w;                       // x and the weight as they are stored
  Grouping w_grouping;
  std::uint64_t result_bytes = 1;    // an element of the result
  std::uint64_t residual_bytes = 0;  // an element; 0: none
  std::uint64_t bias_bytes = 0;      // an element of a bias that the vector unit spreads; 0: none
  Dtype operand = Dtype::int8;       // x's type, which decides what is multiplied
  Dtype w_operand = Dtype::int8;
  bool weights_stream = true;  // the right operand is a weight and streams through the weight ring
  bool transposed = false;     // the right operand lies as [n, k]
  double vector_cycles = 0.0;  // lane-cycles that the epilogue costs an element of the result
  bool needs_staging = false;  // the result passes through the scratchpad before it is stored
  MemoryLevel x_level = MemoryLevel::dram, result_level = MemoryLevel::dram;
  /// Tiles along k are multiples of this, so that no block or group is cut.
  std::uint64_t k_unit() const { return std::lcm(std::uint64_t{a.elements}, std::uint64_t{w.elements}); }
  bool x_in_panels = false;  // its tiles are pieces of memory (plan/panels.h)
  friend bool operator==(const ProductShape&, const ProductShape&) = default;
};
ProductShape shape_of(const Trace& trace, const MemoryPlan& memory, const Group& group,
                      const AcceleratorCapabilities& accelerator);

/// True if the load engine puts the bias into every row of the accumulator, because the vector unit cannot.
bool loads_bias_rows(const AcceleratorCapabilities& accelerator);

/// The scratchpad: [arena | weight ring].
struct ScratchpadSplit {
  std::uint64_t arena = 0;  // bytes for what one group holds
  std::uint64_t ring = 0;   // bytes for weights that stream through all groups
  friend bool operator==(const ScratchpadSplit&, const ScratchpadSplit&) = default;
};

struct ProductPlan {
  std::uint32_t m_parts = 1, n_parts = 1;  // accelerators along m and n (along the batch if it is larger than 1)
  std::uint64_t m_tile = 0, k_tile = 0, n_tile = 0;
  bool m_outer = false;                  // else the n tiles are the outer loop
  std::uint32_t slots = 1;               // accumulator tiles in flight
  std::uint64_t a_ring = 0, w_ring = 0;  // bytes in the arena; w_ring only if the right operand is no weight
  Dataflow dataflow = Dataflow::weight_stationary;
  double cycles = 0.0;  // estimated
};

/// Layout of a weight in DRAM: fixed by the first group that streams it.
struct WeightTiles {
  std::uint64_t k_tile = 0, n_tile = 0;
  friend bool operator==(const WeightTiles&, const WeightTiles&) = default;
};

class ProductPlanner {
 public:
  explicit ProductPlanner(const MachineView& machine) : machine_(machine) {}

  struct Limits {
    std::optional<WeightTiles> fixed;              // a weight's layout
    const OperatorChoice* choice = nullptr;        // of the user
    std::string* why_not = nullptr;                // gets what keeps a plan of this choice from fitting
    std::vector<Candidate>* candidates = nullptr;  // gets all that fit
  };
  /// The quickest plan that fits within the limits. Nothing fits: nullopt.
  std::optional<ProductPlan> plan(const ProductShape& shape, const std::vector<std::uint32_t>& accelerators,
                                  ScratchpadSplit split, const Limits& limits);
  /// Bytes of scratchpad and accumulator that the smallest tile needs.
  struct Need {
    std::uint64_t scratchpad = 0, accumulator = 0;
  };
  Need smallest_need(const ProductShape& shape, const AcceleratorCapabilities& accelerator) const;

 private:
  const MachineView& machine_;
  std::map<std::vector<std::uint32_t>, ArrayEstimates> arrays_;  // by accelerators
};

/// The least of each ability among `accelerators`: what a common plan may count on.
AcceleratorCapabilities common(const MachineView& machine, const std::vector<std::uint32_t>& accelerators);

/// Part `index` of `parts` of 0 .. total, in whole multiples of `unit` but for the end.
struct SplitPart {
  std::uint64_t begin = 0, end = 0;
  std::uint64_t size() const { return end - begin; }
};
SplitPart part(std::uint64_t total, std::uint64_t unit, std::uint64_t parts, std::uint64_t index);

/// Which of `active` accelerators the one at `position` of `all` is; nullopt if it idles. Active ones stand apart, so that
/// they do not share the links of one corner.
std::optional<std::uint32_t> rank_of(std::uint32_t position, std::uint32_t active, std::size_t all);

}  // namespace archsim
