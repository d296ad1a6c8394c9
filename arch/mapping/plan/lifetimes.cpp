#include "arch/mapping/plan/lifetimes.h"

#include <algorithm>

namespace archsim {
namespace {

struct Access {
  std::uint32_t item = 0;
  bool is_write = false;
};

struct Span {
  std::uint32_t begin = 0, end = 0;  // items of loop_begin and loop_end
  std::uint64_t count = 1;
};

// Products and attention read what all accelerators share once on each.
std::uint64_t readers(const Group& group, const TensorUse& use, const Trace& trace) {
  const bool is_shared =
      group.work == Work::product ? use == trace.operators[group.products[0]].inputs[0] : group.work == Work::attention;
  return is_shared ? std::max<std::size_t>(group.accelerators.size(), 1) : 1;
}

class Finder {
 public:
  Finder(const Trace& trace, const Schedule& schedule)
      : trace_(trace), schedule_(schedule), accesses_(trace.tensors.size()) {
    lifetimes_.resize(trace.tensors.size());
  }

  std::vector<Lifetime> run() {
    collect();
    for (std::size_t t = 0; t < lifetimes_.size(); ++t) {
      if (!accesses_[t].empty()) stretch(t);
    }
    return std::move(lifetimes_);
  }

 private:
  void collect() {
    std::vector<Span> open;
    std::uint64_t instances = 1;
    for (std::uint32_t i = 0; i < schedule_.items.size(); ++i) {
      const auto& item = schedule_.items[i];
      if (item.kind == ScheduleItem::Kind::loop_begin) {
        open.push_back({i, 0, trace_.loops[item.index].count});
        instances *= open.back().count;
      } else if (item.kind == ScheduleItem::Kind::loop_end) {
        open.back().end = i;
        instances /= open.back().count;
        loops_.push_back(open.back());  // inner loops before outer ones
        open.pop_back();
      } else {
        group(i, schedule_.groups[item.index], instances);
      }
    }
  }

  void group(std::uint32_t item, const Group& group, std::uint64_t instances) {
    const auto uses = uses_of(trace_, group);
    for (const auto& use : uses.reads) note(item, use, false, instances * readers(group, use, trace_));
    for (const auto& use : uses.writes) note(item, use, true, instances);
  }

  void note(std::uint32_t item, const TensorUse& use, bool is_write, std::uint64_t times) {
    accesses_[use.tensor].push_back({item, is_write});
    auto& lifetime = lifetimes_[use.tensor];
    lifetime.first = std::min(lifetime.first, item);
    lifetime.last = std::max(lifetime.last, item);
    lifetime.traffic += times * trace_.tensors[use.tensor].bytes();
  }

  void stretch(std::size_t t) {
    auto& lifetime = lifetimes_[t];
    const bool has_copies = trace_.tensors[t].number_of_copies() > 1;
    // What a KV cache holds is a result, too.
    if (trace_.tensors[t].role == Role::kv_cache) lifetime.last = static_cast<std::uint32_t>(schedule_.items.size());
    for (const auto& loop : loops_) {
      const auto is_inside = [&](const Access& access) { return access.item > loop.begin && access.item < loop.end; };
      const auto first = std::find_if(accesses_[t].begin(), accesses_[t].end(), is_inside);
      if (first == accesses_[t].end()) continue;
      const bool all_inside = lifetime.first > loop.begin && lifetime.last < loop.end;
      // Written first and used only inside: each iteration begins anew.
      if (all_inside && first->is_write && !has_copies) continue;
      lifetime.first = std::min(lifetime.first, loop.begin);
      lifetime.last = std::max(lifetime.last, loop.end);
    }
  }

  const Trace& trace_;
  const Schedule& schedule_;
  std::vector<std::vector<Access>> accesses_;  // by tensor, in program order, reads of a group before its writes
  std::vector<Span> loops_;
  std::vector<Lifetime> lifetimes_;
};

}  // namespace

GroupUses uses_of(const Trace& trace, const Group& group) {
  GroupUses uses;
  std::vector<TensorUse> inside;
  for (const std::uint32_t index : group.operators) {
    const auto& op = trace.operators[index];
    for (const auto& use : op.inputs) {
      if (std::find(inside.begin(), inside.end(), use) == inside.end()) uses.reads.push_back(use);
    }
    if (index == group.last()) {
      uses.writes = op.outputs;
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
