#include "arch/mapping/plan/staging.h"

#include <algorithm>
#include <map>

#include "arch/mapping/plan/lifetimes.h"

namespace archsim {
namespace {

struct Candidate {
  std::uint32_t tensor = 0;
  std::size_t stage_item = 0;  // the stage's loop_begin
  std::uint32_t reader = 0;    // the first operator of the stage that reads it
};

class Stager {
 public:
  Stager(const Trace& trace, const Schedule& schedule, const MemoryPlan& memory)
      : trace_(trace), schedule_(schedule), memory_(memory), positions_(positions(trace)) {}

  std::vector<Candidate> candidates(std::uint64_t accelerators) const {
    std::vector<Candidate> found;
    std::size_t depth = 0, stage = 0;
    std::uint32_t stage_number = 0;
    for (std::size_t i = 0; i < schedule_.items.size(); ++i) {
      const auto kind = schedule_.items[i].kind;
      if (kind == ScheduleItem::Kind::loop_begin && depth++ == 0) stage = i;
      if (kind != ScheduleItem::Kind::loop_end || --depth > 0) continue;
      for (std::uint32_t t = 0; t < trace_.tensors.size(); ++t) {
        if (const auto reader = worth_copying(t, stage_number, accelerators)) found.push_back({t, stage, *reader});
      }
      ++stage_number;
    }
    return found;
  }

  StagedTrace with(const std::vector<Candidate>& candidates) const {
    StagedTrace staged{
        .trace = trace_, .schedule = {}, .memory = {}, .copies = static_cast<std::uint32_t>(candidates.size())};
    staged.schedule.groups = schedule_.groups;
    staged.schedule.joined = schedule_.joined;
    for (std::size_t i = 0; i < schedule_.items.size(); ++i) {
      for (const auto& candidate : candidates) {
        if (candidate.stage_item == i) add_copy(staged, candidate);
      }
      staged.schedule.items.push_back(schedule_.items[i]);
    }
    return staged;
  }

 private:
  // If the stage only reads it, from DRAM, and at least twice in all.
  std::optional<std::uint32_t> worth_copying(std::uint32_t t, std::uint32_t stage, std::uint64_t accelerators) const {
    const auto& tensor = trace_.tensors[t];
    if (tensor.role != Role::kv_cache || !memory_.is_placed[t] || memory_.placements[t].level != MemoryLevel::dram)
      return std::nullopt;
    std::optional<std::uint32_t> reader;
    std::uint64_t reads = 0;
    bool is_written_before = false;
    for (std::uint32_t i = 0; i < trace_.operators.size(); ++i) {
      const auto& op = trace_.operators[i];
      const auto uses = [&](const std::vector<TensorUse>& list) {
        return std::any_of(list.begin(), list.end(), [&](const TensorUse& use) { return use.tensor == t; });
      };
      if (uses(op.outputs)) {
        if (positions_[i].stage >= stage) return std::nullopt;
        is_written_before = true;
      }
      if (positions_[i].stage != stage || !uses(op.inputs)) continue;
      if (!reader) reader = i;
      reads += positions_[i].instances * (op.type == OperatorType::attention ? accelerators : 1);
    }
    if (!reader || !is_written_before || reads < 2 * tensor.number_of_copies()) return std::nullopt;
    return reader;
  }

  void add_copy(StagedTrace& staged, const Candidate& candidate) const {
    const auto copy = static_cast<std::uint32_t>(staged.trace.tensors.size());
    Tensor tensor = trace_.tensors[candidate.tensor];
    tensor.role = Role::activation;
    tensor.name += ".in_l2";
    staged.trace.tensors.push_back(std::move(tensor));
    const std::uint32_t stage = positions_[candidate.reader].stage;
    std::vector<std::uint32_t> accelerators;
    for (std::uint32_t i = 0; i < trace_.operators.size(); ++i) {
      if (positions_[i].stage != stage) continue;
      for (auto& use : staged.trace.operators[i].inputs) {
        if (use.tensor == candidate.tensor) use.tensor = copy;
      }
    }
    for (const auto& group : schedule_.groups) {
      if (group.last() == candidate.reader) accelerators = group.accelerators;
    }
    Group group{.work = Work::staging,
                .operators = {candidate.reader},
                .accelerators = std::move(accelerators),
                .passes = {""}};
    group.staged_from = candidate.tensor;
    group.staged_to = copy;
    staged.schedule.items.push_back(
        {ScheduleItem::Kind::group, static_cast<std::uint32_t>(staged.schedule.groups.size())});
    staged.schedule.groups.push_back(std::move(group));
  }

  const Trace& trace_;
  const Schedule& schedule_;
  const MemoryPlan& memory_;
  std::vector<Position> positions_;
};

}  // namespace

Checked<StagedTrace> stage_caches(const Trace& trace, const MachineView& machine, const Schedule& schedule,
                                  bool allowed) {
  auto memory = plan_memory(trace, machine, schedule);
  if (!memory) return memory.diagnostics();
  if (allowed && machine.l2) {
    const Stager stager(trace, schedule, *memory);
    auto candidates = stager.candidates(machine.accelerators.size());
    const auto on_host = [&](const Candidate& candidate) {
      return std::any_of(schedule.groups.begin(), schedule.groups.end(), [&](const Group& group) {
        return group.work == Work::host && group.last() == candidate.reader;
      });
    };
    candidates.erase(std::remove_if(candidates.begin(), candidates.end(), on_host), candidates.end());
    auto staged = stager.with(candidates);
    auto plan = plan_memory(staged.trace, machine, staged.schedule);
    if (!plan) return plan.diagnostics();
    bool all_in_l2 = staged.copies > 0;
    for (std::size_t t = trace.tensors.size(); t < staged.trace.tensors.size(); ++t) {
      all_in_l2 = all_in_l2 && plan->placements[t].level == MemoryLevel::l2;
    }
    if (all_in_l2) {
      staged.memory = *std::move(plan);
      return staged;
    }
  }
  return StagedTrace{trace, schedule, *std::move(memory), 0};
}

}  // namespace archsim
