#include "arch/mapping/plan/plans.h"

#include <fmt/format.h>

#include <algorithm>

#include "arch/mapping/emit/work/movement.h"
#include "arch/mapping/emit/work/rows.h"
#include "arch/mapping/plan/panels.h"

namespace archsim {
namespace {

// Shares of the scratchpad that may become the arena, in sixteenths. Of splits that are about equally quick the smallest arena
// is kept, because a larger ring prefetches further. A scratchpad twice as large has the same arenas to choose from, and more.
constexpr std::array<std::uint64_t, 6> kArenaSixteenths{2, 3, 4, 6, 8, 12};
constexpr double kAboutEqual = 0.995;

class PlanMaker {
 public:
  PlanMaker(const Trace& trace, const MachineView& machine, const Schedule& schedule, const MemoryPlan& memory,
            KnownPlans& known, const Overrules& overrules)
      : trace_(trace),
        machine_(machine),
        schedule_(schedule),
        memory_(memory),
        planner_(machine),
        known_(known),
        overrules_(overrules),
        positions_(positions(trace)),
        may_have_panels_(panel_tensors(trace, schedule)) {}

  Checked<Plans> make() {
    const std::uint64_t scratchpad = smallest_scratchpad();
    std::optional<Plans> best;
    double best_cycles = 0.0;
    for (const std::uint64_t arena : arenas(scratchpad)) {
      double cycles = 0.0;
      auto plans = with_split({arena, scratchpad - arena}, cycles, nullptr);
      if (plans && (!best || cycles < best_cycles * kAboutEqual)) {
        best = std::move(plans);
        best->cycles = best_cycles = cycles;
      }
    }
    if (best) return std::move(*best);
    Diagnostics diagnostics;
    double cycles = 0.0;
    refused_.clear();
    for (const std::uint64_t arena : arenas(scratchpad)) {
      static_cast<void>(with_split({arena, scratchpad - arena}, cycles, nullptr));
      if (refused_.size() > most_refused_.size() || most_refused_.empty()) most_refused_ = refused_;
      if (overrules_.empty()) break;
      refused_.clear();
    }
    for (const auto& [op, why] : most_refused_) tell_refused(op, why, diagnostics);
    if (diagnostics.has_errors()) return diagnostics;
    static_cast<void>(
        with_split({scratchpad - scratchpad / 2 / 64 * 64, scratchpad / 2 / 64 * 64}, cycles, &diagnostics));
    if (!diagnostics.has_errors())
      diagnostics.error({}, "no split of the scratchpads suits all operators", "enlarge the scratchpads");
    return diagnostics;
  }

 private:
  std::vector<std::uint64_t> arenas(std::uint64_t scratchpad) const {
    if (overrules_.arena) return {overrules_.arena->value};
    std::vector<std::uint64_t> all;
    for (const auto sixteenths : kArenaSixteenths) all.push_back(scratchpad * sixteenths / 16 / 64 * 64);
    return all;
  }

  const Overrule* overrule_of(std::uint32_t op) const {
    const auto found = overrules_.operators.find(op);
    return found == overrules_.operators.end() ? nullptr : &found->second;
  }

  void tell_refused(std::uint32_t op, const std::string& why, Diagnostics& errors) const {
    errors.error(overrule_of(op)->where,
                 fmt::format("operator `{}` cannot be mapped like that: {}", trace_.operators[op].name, why),
                 "leave out what does not fit: the rest is searched");
  }

  std::uint64_t smallest_scratchpad() const {
    std::uint64_t bytes = machine_.accelerators.empty() ? 0 : machine_.accelerators[0].scratchpad.value;
    for (const auto& accelerator : machine_.accelerators) bytes = std::min(bytes, accelerator.scratchpad.value);
    return bytes / 64 * 64;
  }

  std::optional<Plans> with_split(ScratchpadSplit split, double& cycles, Diagnostics* errors) {
    Plans plans;
    plans.split = split;
    bool fits = true;
    for (std::uint32_t g = 0; g < schedule_.groups.size(); ++g) {
      const auto& group = schedule_.groups[g];
      if (group.work == Work::host || group.work == Work::staging) continue;
      const bool fitted = group.work == Work::product     ? product(plans, g, cycles)
                          : group.work == Work::attention ? attention(plans, g, cycles)
                                                          : rest(plans, g);
      if (!fitted && errors) explain(g, *errors);
      fits = fits && fitted;
    }
    if (!fits) return std::nullopt;
    return plans;
  }

  bool product(Plans& plans, std::uint32_t g, double& cycles) {
    const auto& group = schedule_.groups[g];
    auto shape = shape_of(trace_, memory_, group, common(machine_, group.accelerators));
    shape.x_in_panels = may_have_panels_[trace_.operators[group.products[0]].inputs[0].tensor];
    std::optional<WeightTiles> fixed;
    for (const std::uint32_t op : group.linears()) {
      const auto found = plans.weights.find(trace_.operators[op].inputs[1].tensor);
      if (found != plans.weights.end()) fixed = found->second;
    }
    const Overrule* overrule = overrule_of(group.products[0]);
    std::string why_not;
    const auto plan =
        known_.product(shape, group.accelerators, plans.split,
                       {.fixed = fixed, .choice = overrule ? &overrule->choice : nullptr, .why_not = &why_not});
    if (!plan && overrule) refused_[group.products[0]] = why_not;
    if (!plan) return false;
    cycles += plan->cycles * static_cast<double>(positions_[group.last()].instances);
    plans.shapes[g] = shape;
    plans.products[g] = *plan;
    if (!shape.weights_stream) return true;
    for (const std::uint32_t op : group.linears()) {
      const std::uint32_t weight = trace_.operators[op].inputs[1].tensor;
      const WeightTiles tiles{plan->k_tile, plan->n_tile};
      const auto [it, is_new] = plans.weights.emplace(weight, tiles);
      // Gate and up were laid out by different groups before.
      if (!is_new && (it->second.k_tile != tiles.k_tile || it->second.n_tile != tiles.n_tile)) return false;
    }
    return true;
  }

  bool attention(Plans& plans, std::uint32_t g, double& cycles) {
    const auto& group = schedule_.groups[g];
    const auto shape = shape_of_attention(trace_, memory_, group, may_have_panels_);
    const Overrule* overrule = overrule_of(group.last());
    std::string why_not;
    const auto plan = known_.attention(
        shape, group.accelerators, plans.split,
        {.choice = overrule ? &overrule->choice : nullptr, .why_not = &why_not, .candidates = nullptr});
    if (!plan && overrule) refused_[group.last()] = why_not;
    if (!plan) return false;
    plans.attentions[g] = *plan;
    cycles += plan->cycles * static_cast<double>(positions_[group.last()].instances);
    return true;
  }

  std::uint64_t need_of_rest(std::uint32_t g, ScratchpadSplit split) const {
    const MappingContext context{trace_, machine_, schedule_, memory_, split};
    return schedule_.groups[g].work == Work::vector ? RowsEmitter(context, g).smallest_need()
                                                    : MovementEmitter(context, g).smallest_need();
  }

  bool rest(const Plans& plans, std::uint32_t g) const { return need_of_rest(g, plans.split) <= plans.split.arena; }

  void explain(std::uint32_t g, Diagnostics& errors) const {
    const auto& group = schedule_.groups[g];
    const auto npu = common(machine_, group.accelerators);
    ProductPlanner::Need need;
    if (group.work == Work::product) {
      need = planner_.smallest_need(shape_of(trace_, memory_, group, npu), npu);
    } else if (group.work == Work::attention) {
      need = smallest_attention_need(shape_of_attention(trace_, memory_, group));
    } else {
      need.scratchpad = 2 * need_of_rest(g, {});
    }
    const auto& name = trace_.operators[group.operators[0]].name;
    if (need.accumulator > npu.accumulator.value) {
      errors.error(
          npu.accumulator_place,
          fmt::format(
              "the accumulator of `{}` is too small for any tile of operator `{}`: {} bytes are needed, it has {}",
              npu.name, name, need.accumulator, npu.accumulator.value),
          fmt::format("give it at least {} KiB", ceil_div(need.accumulator, 1024)));
      return;
    }
    errors.error(
        npu.scratchpad_place,
        fmt::format("the scratchpad of `{}` is too small for any tile of operator `{}`: {} bytes are needed, it has {}",
                    npu.name, name, need.scratchpad, npu.scratchpad.value),
        fmt::format("give it at least {} KiB", ceil_div(need.scratchpad, 1024)));
  }

  const Trace& trace_;
  const MachineView& machine_;
  const Schedule& schedule_;
  const MemoryPlan& memory_;
  ProductPlanner planner_;
  KnownPlans& known_;
  const Overrules& overrules_;
  std::map<std::uint32_t, std::string> refused_, most_refused_;  // by operator of a choice that did not fit: why
  std::vector<Position> positions_;
  std::vector<bool> may_have_panels_;  // by tensor
};

}  // namespace

Checked<Plans> make_plans(const Trace& trace, const MachineView& machine, const Schedule& schedule,
                          const MemoryPlan& memory, KnownPlans& known, const Overrules& overrules) {
  return PlanMaker(trace, machine, schedule, memory, known, overrules).make();
}

}  // namespace archsim
