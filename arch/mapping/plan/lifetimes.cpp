#include "arch/mapping/plan/lifetimes.h"

#include <algorithm>
#include <map>

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
      : trace_(trace), schedule_(schedule), lifetimes_(trace.tensors.size()), uses_(trace.tensors.size()) {}

  std::vector<Lifetime> run() {
    collect();
    for (std::uint32_t t = 0; t < lifetimes_.size(); ++t) {
      if (!uses_[t].empty()) flow(t);
    }
    return std::move(lifetimes_);
  }

 private:
  std::size_t items() const { return schedule_.items.size(); }

  void collect() {
    std::vector<std::uint32_t> open;
    begins_.resize(items());
    outer_.assign(items(), kNone);
    std::uint64_t instances = 1;
    std::uint32_t outer = kNone;
    for (std::uint32_t i = 0; i < items(); ++i) {
      const auto& item = schedule_.items[i];
      if (item.kind == ScheduleItem::Kind::loop_begin) {
        if (outer == kNone && trace_.loops[item.index].count > 1) outer = i;
        open.push_back(i);
        instances *= trace_.loops[item.index].count;
      }
      outer_[i] = outer;
      if (item.kind == ScheduleItem::Kind::loop_end) {
        begins_[i] = open.back();
        if (outer == open.back()) {
          outer = kNone;
          outer_end_[begins_[i]] = i + 1;
        }
        open.pop_back();
        instances /= trace_.loops[item.index].count;
      } else if (item.kind == ScheduleItem::Kind::group) {
        note_group(i, schedule_.groups[item.index], instances);
      }
    }
  }

  void note_group(std::uint32_t item, const Group& group, std::uint64_t instances) {
    const auto uses = uses_of(trace_, group);
    for (const auto& use : uses.reads) note(item, use, instances * readers(group, use, trace_)).reads = true;
    for (const auto& use : uses.writes) {
      Use& noted = note(item, use, instances);
      noted.writes = true;
      // A write replaces all of a tensor, unless it is one copy of several.
      noted.replaces = trace_.tensors[use.tensor].number_of_copies() == 1;
    }
  }

  struct Use {
    std::uint32_t item = 0;
    bool reads = false, writes = false, replaces = false;
  };

  Use& note(std::uint32_t item, const TensorUse& use, std::uint64_t times) {
    const std::uint32_t t = schedule_.joined.of(use.tensor);
    lifetimes_[t].traffic += times * trace_.tensors[use.tensor].bytes();
    if (uses_[t].empty() || uses_[t].back().item != item) uses_[t].push_back({.item = item});
    return uses_[t].back();
  }

  bool repeats(std::size_t loop_end) const { return trace_.loops[schedule_.items[loop_end].index].count > 1; }

  // Nothing is held or needed outside: from the first use to the last, and all of the loops that bring it round again. What
  // nobody writes is there from the start, and a result to the end.
  Lifetime::Span reach(std::uint32_t t, bool is_given, bool is_result) const {
    Lifetime::Span span{uses_[t].front().item, uses_[t].back().item + 1};
    if (outer_[span.begin] != kNone) span.begin = outer_[span.begin];
    if (outer_[span.end - 1] != kNone) span.end = outer_end_.at(outer_[span.end - 1]);
    return {is_given ? 0 : span.begin, is_result ? static_cast<std::uint32_t>(items()) : span.end};
  }

  void flow(std::uint32_t t) {
    const auto& uses = uses_[t];
    const bool is_result = trace_.tensors[t].role == Role::kv_cache;
    const bool is_given = std::none_of(uses.begin(), uses.end(), [](const Use& use) { return use.writes; });
    const Lifetime::Span span = reach(t, is_given, is_result);
    const std::uint32_t first = span.begin;
    const std::size_t size = span.end - first;
    std::vector<Use> at(size);  // by item from `first` on, as all below
    for (const Use& use : uses) at[use.item - first] = use;
    std::vector<bool> holds(size + 1), needed(size + 1, false);  // before each item
    needed[size] = is_result;
    const auto loop_of = [&](std::size_t i) { return begins_[first + i] + 1 - first; };
    for (bool changes = true; changes;) {
      changes = false;
      const auto set = [&](std::vector<bool>& flags, std::size_t i, bool value) {
        if (value && !flags[i]) flags[i] = changes = true;
      };
      for (std::size_t i = 0; i < size; ++i) {
        set(holds, i + 1, holds[i] || at[i].writes);
        if (brings_back(first + i)) set(holds, loop_of(i), holds[i]);
      }
      for (std::size_t i = size; i-- > 0;) {
        const bool after = needed[i + 1] || (brings_back(first + i) && needed[loop_of(i)]);
        set(needed, i, at[i].reads || (after && !(at[i].writes && at[i].replaces)));
      }
    }
    auto& spans = lifetimes_[t].spans;
    for (std::uint32_t i = 0; i < size; ++i) {
      const bool before = needed[i] && (holds[i] || is_given), after = needed[i + 1] && (holds[i + 1] || is_given);
      if (!(before || after || at[i].reads || at[i].writes)) continue;
      if (spans.empty() || spans.back().end != first + i) spans.push_back({first + i, first + i});
      spans.back().end = first + i + 1;
    }
  }

  bool brings_back(std::size_t i) const { return is_loop_end(i) && repeats(i); }
  bool is_loop_end(std::size_t i) const { return schedule_.items[i].kind == ScheduleItem::Kind::loop_end; }

  const Trace& trace_;
  const Schedule& schedule_;
  std::vector<Lifetime> lifetimes_;
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  std::vector<std::vector<Use>> uses_;  // by tensor, ascending
  std::vector<std::uint32_t> begins_;   // by item: of a loop_end, its loop_begin
  std::vector<std::uint32_t> outer_;    // by item: the begin of the outermost loop around that repeats, or kNone
  std::map<std::uint32_t, std::uint32_t> outer_end_;  // by that begin: behind its end
};

}  // namespace

bool Lifetime::meets(const Lifetime& other) const {
  auto a = spans.begin();
  auto b = other.spans.begin();
  while (a != spans.end() && b != other.spans.end()) {
    if (a->begin < b->end && b->begin < a->end) return true;
    a->end < b->end ? ++a : ++b;
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
