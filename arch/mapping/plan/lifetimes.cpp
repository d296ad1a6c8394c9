#include "arch/mapping/plan/lifetimes.h"

#include <algorithm>

namespace archsim {
namespace {

// Products and attention read what all accelerators share once on each.
std::uint64_t readers(const Group& group, const TensorUse& use, const Trace& trace) {
  const bool is_shared =
      group.work == Work::product ? use == trace.operators[group.products[0]].inputs[0] : group.work == Work::attention;
  return is_shared ? std::max<std::size_t>(group.accelerators.size(), 1) : 1;
}

// Two flows over the schedule, with the way back at each loop's end: from writes forward (holds something) and from reads
// backward (is needed).
class Finder {
 public:
  Finder(const Trace& trace, const Schedule& schedule)
      : trace_(trace),
        schedule_(schedule),
        lifetimes_(trace.tensors.size()),
        reads_(trace.tensors.size()),
        writes_(trace.tensors.size()),
        replaced_(trace.tensors.size()) {}

  std::vector<Lifetime> run() {
    collect();
    for (std::size_t t = 0; t < lifetimes_.size(); ++t) {
      if (!reads_[t].empty()) flow(t);
    }
    return std::move(lifetimes_);
  }

 private:
  std::size_t items() const { return schedule_.items.size(); }

  void collect() {
    std::vector<std::uint32_t> open;
    begins_.resize(items());
    std::uint64_t instances = 1;
    for (std::uint32_t i = 0; i < items(); ++i) {
      const auto& item = schedule_.items[i];
      if (item.kind == ScheduleItem::Kind::loop_begin) {
        open.push_back(i);
        instances *= trace_.loops[item.index].count;
      } else if (item.kind == ScheduleItem::Kind::loop_end) {
        begins_[i] = open.back();
        open.pop_back();
        instances /= trace_.loops[item.index].count;
      } else {
        note_group(i, schedule_.groups[item.index], instances);
      }
    }
  }

  void note_group(std::uint32_t item, const Group& group, std::uint64_t instances) {
    const auto uses = uses_of(trace_, group);
    for (const auto& use : uses.reads) note(reads_, item, use, instances * readers(group, use, trace_));
    for (const auto& use : uses.writes) note(writes_, item, use, instances);
  }

  void note(std::vector<std::vector<bool>>& where, std::uint32_t item, const TensorUse& use, std::uint64_t times) {
    const std::uint32_t t = schedule_.joined.of(use.tensor);
    for (auto* flags : {&reads_[t], &writes_[t], &replaced_[t]}) flags->resize(items());
    where[t][item] = true;
    // A write replaces all of a tensor, unless it is one copy of several.
    if (&where == &writes_) replaced_[t][item] = trace_.tensors[use.tensor].number_of_copies() == 1;
    lifetimes_[t].traffic += times * trace_.tensors[use.tensor].bytes();
  }

  bool repeats(std::size_t loop_end) const { return trace_.loops[schedule_.items[loop_end].index].count > 1; }

  void flow(std::size_t t) {
    const auto& reads = reads_[t];
    const auto& writes = writes_[t];
    const auto& replaced = replaced_[t];
    const bool is_result = trace_.tensors[t].role == Role::kv_cache;
    std::vector<bool> holds(items() + 1), needed(items() + 1, false);  // before each item
    needed[items()] = is_result;
    for (bool changes = true; changes;) {
      changes = false;
      const auto set = [&](std::vector<bool>& flags, std::size_t i, bool value) {
        if (value && !flags[i]) flags[i] = changes = true;
      };
      for (std::size_t i = 0; i < items(); ++i) {
        set(holds, i + 1, holds[i] || writes[i]);
        if (is_loop_end(i) && repeats(i)) set(holds, begins_[i] + 1, holds[i]);
      }
      for (std::size_t i = items(); i-- > 0;) {
        const bool after = needed[i + 1] || (is_loop_end(i) && repeats(i) && needed[begins_[i] + 1]);
        set(needed, i, reads[i] || (after && !(writes[i] && replaced[i])));
      }
    }
    auto& alive = lifetimes_[t].alive;
    alive.resize(items());
    const bool is_given = std::none_of(writes.begin(), writes.end(), [](bool w) { return w; });
    for (std::size_t i = 0; i < items(); ++i) {
      const bool before = needed[i] && (holds[i] || is_given), after = needed[i + 1] && (holds[i + 1] || is_given);
      alive[i] = before || after || reads[i] || writes[i];
    }
  }

  bool is_loop_end(std::size_t i) const { return schedule_.items[i].kind == ScheduleItem::Kind::loop_end; }

  const Trace& trace_;
  const Schedule& schedule_;
  std::vector<Lifetime> lifetimes_;
  std::vector<std::vector<bool>> reads_, writes_, replaced_;  // by tensor and item; empty if it is not used
  std::vector<std::uint32_t> begins_;                         // by item: of a loop_end, its loop_begin
};

}  // namespace

bool Lifetime::meets(const Lifetime& other) const {
  for (std::size_t i = 0; i < std::min(alive.size(), other.alive.size()); ++i) {
    if (alive[i] && other.alive[i]) return true;
  }
  return false;
}

GroupUses uses_of(const Trace& trace, const Group& group) {
  GroupUses uses;
  if (group.work == Work::staging) {
    const std::vector<CopyIndex> any(trace.tensors[group.staged_from].copies.size());
    return {{{group.staged_from, any}}, {{group.staged_to, any}}};
  }
  std::vector<TensorUse> inside;
  for (const std::uint32_t index : group.operators) {
    const auto& op = trace.operators[index];
    for (const auto& use : op.inputs) {
      const auto is_among = [&](const std::vector<TensorUse>& all) {
        return std::find(all.begin(), all.end(), use) != all.end();
      };
      if (!is_among(inside) && !is_among(uses.reads)) uses.reads.push_back(use);
    }
    if (index == group.last() || !group.beside.empty()) {
      uses.writes.insert(uses.writes.end(), op.outputs.begin(), op.outputs.end());
    } else {
      inside.insert(inside.end(), op.outputs.begin(), op.outputs.end());
    }
  }
  return uses;
}

std::vector<Lifetime> find_lifetimes(const Trace& trace, const Schedule& schedule) {
  return Finder(trace, schedule).run();
}

}  // namespace archsim
