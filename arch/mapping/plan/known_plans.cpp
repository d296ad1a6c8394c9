#include "arch/mapping/plan/known_plans.h"

#include <algorithm>

namespace archsim {
namespace {

std::optional<OperatorChoice> copy(const OperatorChoice* choice) {
  return choice ? std::optional(*choice) : std::nullopt;
}

void tell(std::string* why_not, const std::string& known) {
  if (why_not) *why_not = known;
}

}  // namespace

std::optional<ProductPlan> KnownPlans::product(const ProductShape& shape,
                                               const std::vector<std::uint32_t>& accelerators, ScratchpadSplit split,
                                               const ProductPlanner::Limits& limits) {
  const auto known = std::find_if(products_.begin(), products_.end(), [&](const Product& other) {
    return other.split == split && other.fixed == limits.fixed && other.shape == shape &&
           other.accelerators == accelerators && other.choice == copy(limits.choice);
  });
  if (known != products_.end()) return tell(limits.why_not, known->why_not), known->plan;
  Product made{shape, accelerators, split, limits.fixed, copy(limits.choice), {}, {}};
  made.plan = planner_.plan(shape, accelerators, split,
                            {.fixed = limits.fixed, .choice = limits.choice, .why_not = &made.why_not});
  tell(limits.why_not, made.why_not);
  products_.push_back(std::move(made));
  return products_.back().plan;
}

std::optional<AttentionPlan> KnownPlans::attention(const AttentionShape& shape,
                                                   const std::vector<std::uint32_t>& accelerators,
                                                   ScratchpadSplit split, const AttentionLimits& limits) {
  const auto known = std::find_if(attentions_.begin(), attentions_.end(), [&](const Attention& other) {
    return other.split == split && other.shape == shape && other.accelerators == accelerators &&
           other.choice == copy(limits.choice);
  });
  if (known != attentions_.end()) return tell(limits.why_not, known->why_not), known->plan;
  Attention made{shape, accelerators, split, copy(limits.choice), {}, {}};
  made.plan = plan_attention(shape, machine_, accelerators, split.arena,
                             {.choice = limits.choice, .why_not = &made.why_not, .candidates = nullptr});
  tell(limits.why_not, made.why_not);
  attentions_.push_back(std::move(made));
  return attentions_.back().plan;
}

}  // namespace archsim
