#include "arch/mapping/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "arch/mapping/plan/panels.h"
#include "arch/mapping/schedule/suitability.h"

namespace archsim {
namespace {

std::string engine_of(const Group& group, const MachineView& machine) {
  if (group.work == Work::host) return fmt::format("the host `{}`", machine.host.name);
  std::string text = group.work == Work::product || group.work == Work::attention ? "the array of"
                     : group.work == Work::vector                                 ? "the vector unit of"
                                                                                  : "the DMA of";
  for (const std::uint32_t a : group.accelerators)
    text += (a == group.accelerators[0] ? " " : ", ") + machine.accelerators[a].name;
  return text;
}

struct Term {
  const char* name;
  double cycles;
};

// What works at the same time.
std::array<Term, 5> hidden_terms(const CostTerms& terms) {
  return {Term{"compute", terms.compute}, Term{"vector", terms.vector}, Term{"load", terms.load},
          Term{"store", terms.store}, Term{"memory", terms.memory}};
}

Term longest(const CostTerms& terms) {
  const auto all = hidden_terms(terms);
  return *std::max_element(all.begin(), all.end(), [](const Term& a, const Term& b) { return a.cycles < b.cycles; });
}

class Explainer {
 public:
  Explainer(const MachineView& machine, const Planned& planned) : machine_(machine), planned_(planned) {}

  Explanation of(std::uint32_t op) const {
    const auto& groups = planned_.schedule.groups;
    const auto has = [&](const Group& group) {
      return std::find(group.operators.begin(), group.operators.end(), op) != group.operators.end();
    };
    const auto found = std::find_if(groups.begin(), groups.end(), has);
    ARCHSIM_ASSERT(found != groups.end(), "every operator is in a group");
    const auto index = static_cast<std::uint32_t>(found - groups.begin());
    Explanation told{.main = main_operator(*found), .runs_on = engine_of(*found, machine_)};
    for (std::size_t i = 0; i < found->operators.size(); ++i) {
      if (found->operators[i] != told.main) told.fused.push_back(found->operators[i]);
      if (found->operators[i] == op) told.pass = found->passes[i];
    }
    told.why = found->work == Work::host
                   ? found->why
                   : verdict(planned_.batched.trace, op, machine_.accelerators[found->accelerators[0]]).capability;
    told.instances = positions(planned_.batched.trace)[found->last()].instances;
    add_candidates(index, *found, told);
    return told;
  }

 private:
  void add_candidates(std::uint32_t index, const Group& group, Explanation& told) const {
    double chosen = 0.0;
    const auto& plans = planned_.plans;
    if (const auto product = plans.products.find(index); product != plans.products.end()) {
      chosen = product->second.cycles;
      std::vector<Candidate> own;
      OperatorChoice choice;
      fix(product->second, choice);
      ProductPlanner planner(machine_);
      static_cast<void>(planner.plan(plans.shapes.at(index), group.accelerators, plans.split,
                                     {.choice = &choice, .candidates = &own}));
      static_cast<void>(
          planner.plan(plans.shapes.at(index), group.accelerators, plans.split, {.candidates = &told.candidates}));
      sort(told, own, chosen);
    } else if (const auto attention = plans.attentions.find(index); attention != plans.attentions.end()) {
      chosen = attention->second.cycles;
      const auto& staged = planned_.staged;
      const auto shape =
          shape_of_attention(staged.trace, staged.memory, group, panel_tensors(staged.trace, staged.schedule));
      std::vector<Candidate> own;
      OperatorChoice choice;
      fix(attention->second, choice);
      plan_attention(shape, machine_, group.accelerators, plans.split.arena,
                     {.choice = &choice, .why_not = nullptr, .candidates = &own});
      plan_attention(shape, machine_, group.accelerators, plans.split.arena,
                     {.choice = nullptr, .why_not = nullptr, .candidates = &told.candidates});
      sort(told, own, chosen);
    }
  }

  static void fix(const ProductPlan& plan, OperatorChoice& choice) {
    choice.split.m = plan.m_parts;
    choice.split.n = plan.n_parts;
    choice.tile.m = plan.m_tile;
    choice.tile.k = plan.k_tile;
    choice.tile.n = plan.n_tile;
    choice.order = plan.m_outer ? TileOrder::rows_first : TileOrder::columns_first;
    choice.dataflow = plan.dataflow;
  }

  static void fix(const AttentionPlan& plan, OperatorChoice& choice) {
    choice.split.heads = plan.head_parts;
    choice.split.queries = plan.query_parts;
    choice.tile.queries = plan.query_tile;
    choice.tile.keys = plan.key_tile;
    choice.stacked = plan.stacked;
    choice.chains = plan.chains;
    choice.scores = plan.scores;
    choice.values = plan.values;
  }

  // The chosen one in front of the others.
  static void sort(Explanation& told, std::vector<Candidate> own, double chosen) {
    std::stable_sort(told.candidates.begin(), told.candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.cycles < b.cycles; });
    ARCHSIM_ASSERT(own.size() == 1, "the chosen plan is one that fits");
    std::vector<Candidate> all{own[0]};
    for (auto& candidate : told.candidates) {
      if (candidate.what != own[0].what) all.push_back(std::move(candidate));
    }
    told.is_quickest = all.size() < 2 || all[1].cycles >= chosen;
    told.candidates = std::move(all);
  }

  const MachineView& machine_;
  const Planned& planned_;
};

}  // namespace

Explanation explain(const MachineView& machine, const Planned& planned, std::uint32_t op) {
  return Explainer(machine, planned).of(op);
}

std::string why_it_lost(const Candidate& other, const Candidate& chosen) {
  const Term now = longest(other.terms), before = longest(chosen.terms);
  const double hidden = now.cycles - before.cycles, open = other.terms.overhead - chosen.terms.overhead;
  if (other.cycles <= chosen.cycles) return "it did not";
  if (hidden >= open) return fmt::format("{} bounds it, {:.0f} cycles more", now.name, hidden);
  return fmt::format("{:.0f} cycles more overhead", open);
}

}  // namespace archsim
