// Plans of equal products and attentions, made once for a machine: for every layer, split of the scratchpad and way of batching.
#pragma once

#include <optional>
#include <vector>

#include "arch/mapping/tile/attention_plan.h"
#include "arch/mapping/tile/product_plan.h"

namespace archsim {

class KnownPlans {
 public:
  explicit KnownPlans(const MachineView& machine) : machine_(machine), planner_(machine) {}

  /// As ProductPlanner::plan and plan_attention.
  std::optional<ProductPlan> product(const ProductShape& shape, const std::vector<std::uint32_t>& accelerators,
                                     ScratchpadSplit split, const ProductPlanner::Limits& limits);
  std::optional<AttentionPlan> attention(const AttentionShape& shape, const std::vector<std::uint32_t>& accelerators,
                                         ScratchpadSplit split, const AttentionLimits& limits);

 private:
  struct Product {
    ProductShape shape;
    std::vector<std::uint32_t> accelerators;
    ScratchpadSplit split;
    std::optional<WeightTiles> fixed;
    std::optional<OperatorChoice> choice;
    std::optional<ProductPlan> plan;
    std::string why_not;
  };
  struct Attention {
    AttentionShape shape;
    std::vector<std::uint32_t> accelerators;
    ScratchpadSplit split;
    std::optional<OperatorChoice> choice;
    std::optional<AttentionPlan> plan;
    std::string why_not;
  };

  const MachineView& machine_;
  ProductPlanner planner_;
  std::vector<Product> products_;
  std::vector<Attention> attentions_;
};

}  // namespace archsim
