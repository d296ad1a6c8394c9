#include "arch/mapping/planned.h"

#include <fmt/format.h>

#include <algorithm>

namespace archsim {
namespace {

Checked<Planned> plan(const BatchedTrace& batched, const MachineView& machine, const MappingOptions& options,
                      KnownPlans& known, const Overrules& overrules) {
  auto schedule = make_schedule(batched.trace, machine, options, batched.joined, overrules);
  if (!schedule) return schedule.diagnostics();
  auto staged = stage_caches(batched.trace, machine, *schedule, options.stage_caches);
  if (!staged) return staged.diagnostics();
  auto plans = make_plans(staged->trace, machine, staged->schedule, staged->memory, known, overrules);
  if (!plans) return plans.diagnostics();
  return Planned{batched, {}, *std::move(schedule), *std::move(staged), *std::move(plans)};
}

// The host's work is known by the trace's own operators and tensors.
bool leaves_host_alone(const Planned& planned, const Trace& trace) {
  const auto is_as_before = [&](const TensorUse& use) {
    return use.tensor < trace.tensors.size() &&
           trace.tensors[use.tensor].copies == planned.batched.trace.tensors[use.tensor].copies;
  };
  for (const auto& group : planned.schedule.groups) {
    if (group.work != Work::host) continue;
    const auto& op = planned.batched.trace.operators[group.last()];
    if (!std::all_of(op.inputs.begin(), op.inputs.end(), is_as_before)) return false;
    if (!std::all_of(op.outputs.begin(), op.outputs.end(), is_as_before)) return false;
  }
  return true;
}

class Planner {
 public:
  Planner(const Trace& trace, const MachineView& machine, const MappingOptions& options, const Overrules& overrules)
      : trace_(trace), machine_(machine), options_(options), overrules_(overrules), known_(machine) {}

  // Repeats are batched, one after another, where the estimates say that it is quicker.
  Checked<Planned> best() {
    if (overrules_.batched) return as_told();
    auto best = plan(unbatched(trace_), machine_, options_, known_, overrules_);
    if (!best && options_.fuse.linear_siblings && overrules_.empty()) {
      // Weights that stand side by side here and alone there may find no common layout.
      MappingOptions apart = options_;
      apart.fuse.linear_siblings = false;
      if (auto other = plan(unbatched(trace_), machine_, apart, known_, overrules_)) return other;
    }
    if (!options_.batch_repeats || (!best && overrules_.empty())) return best;
    for (std::uint32_t loop = 0; loop < trace_.loops.size(); ++loop) {
      const auto larger = batched(best ? best->batched : unbatched(trace_), loop);
      if (!larger) continue;
      auto other = plan(*larger, machine_, options_, known_, overrules_);
      if (!other || (best && other->plans.cycles >= best->plans.cycles) || !leaves_host_alone(*other, trace_)) continue;
      if (best) other->loops = best->loops;
      other->loops.push_back(loop);
      best = std::move(other);
    }
    return best;
  }

 private:
  Checked<Planned> as_told() {
    BatchedTrace batch = unbatched(trace_);
    for (const std::uint32_t loop : *overrules_.batched) {
      auto larger = batched(batch, loop);
      if (!larger) {
        return Diagnostic{
            .message = fmt::format("the iterations of loop `{}` cannot be done at once", trace_.loops[loop].name),
            .location = overrules_.batched_place,
            .help = "an iteration may need the one before, or there is no product to batch; leave the loop out"};
      }
      batch = *std::move(larger);
    }
    auto planned = plan(batch, machine_, options_, known_, overrules_);
    if (planned && !leaves_host_alone(*planned, trace_)) {
      return Diagnostic{.message = "loops whose operators on the host need single iterations cannot be done at once",
                        .location = overrules_.batched_place,
                        .help = "leave `batched` out, and those are chosen that can be"};
    }
    if (planned) planned->loops = *overrules_.batched;
    return planned;
  }

  const Trace& trace_;
  const MachineView& machine_;
  const MappingOptions& options_;
  const Overrules& overrules_;
  KnownPlans known_;
};

}  // namespace

Checked<Planned> plan_trace(const Trace& trace, const MachineView& machine, const MappingOptions& options,
                            const Overrules& overrules) {
  return Planner(trace, machine, options, overrules).best();
}

}  // namespace archsim
