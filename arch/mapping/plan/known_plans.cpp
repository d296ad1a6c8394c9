#include "arch/mapping/plan/known_plans.h"

#include <algorithm>

namespace archsim {

std::optional<ProductPlan> KnownPlans::product(const ProductShape& shape,
                                               const std::vector<std::uint32_t>& accelerators, ScratchpadSplit split,
                                               std::optional<WeightTiles> fixed) {
  const auto known = std::find_if(products_.begin(), products_.end(), [&](const Product& other) {
    return other.split == split && other.fixed == fixed && other.shape == shape && other.accelerators == accelerators;
  });
  if (known != products_.end()) return known->plan;
  products_.push_back({shape, accelerators, split, fixed, planner_.plan(shape, accelerators, split, fixed)});
  return products_.back().plan;
}

std::optional<AttentionPlan> KnownPlans::attention(const AttentionShape& shape,
                                                   const std::vector<std::uint32_t>& accelerators,
                                                   ScratchpadSplit split) {
  const auto known = std::find_if(attentions_.begin(), attentions_.end(), [&](const Attention& other) {
    return other.split == split && other.shape == shape && other.accelerators == accelerators;
  });
  if (known != attentions_.end()) return known->plan;
  attentions_.push_back({shape, accelerators, split, plan_attention(shape, machine_, accelerators, split.arena)});
  return attentions_.back().plan;
}

}  // namespace archsim
