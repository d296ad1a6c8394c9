// What the bound's recurrence did, without the machine's numbers: which work followed which moment, and who asked for which sums.
#pragma once

#include <cstdint>
#include <vector>

#include "models/roofline/bound.h"
#include "models/roofline/peaks.h"
#include "models/roofline/unrolled.h"

namespace archsim {

/// Part of one of the tape's lists.
struct Span {
  std::uint32_t first = 0, last = 0;
};

/// Filled in the order of the recurrence.
struct Tape {
  struct Entry {
    std::uint32_t moment;
    bool work_follows;
    double bytes;
    bool is_nothing() const { return !work_follows && bytes == 0.0; }
  };
  struct Step {  // a node
    std::uint32_t op = 0;
    double share = 1.0;
    Span entries, needs, before;
  };
  struct Begin {  // of a moment; the start of the run is the first, before all nodes
    std::uint32_t own = 0, first = 0;
    bool is_time = false, is_start = false;
  };
  struct Comparison {  // of a host operation's end with a moment
    std::uint32_t moment, node;
    bool not_later, equal;
  };
  struct StageEnd {
    std::uint32_t nodes = 0;  // visited by then
    Span needed, moments;
  };

  std::vector<Begin> begins{{0, 0, false, true}};
  std::vector<Step> steps;
  std::vector<Entry> entries;
  std::vector<std::uint32_t> needs, moments;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;
  std::vector<Comparison> comparisons;
  std::vector<StageEnd> stages;
  std::vector<bool> by_host;

  std::uint32_t begin_moment(std::uint32_t own, bool is_time) {
    begins.push_back({own, own + 1, is_time, false});
    return static_cast<std::uint32_t>(begins.size() - 1);
  }
  void end_node(const Node& node, const std::vector<std::uint32_t>& needs_of_node, const NodeSet& before) {
    const auto first = steps.empty() ? 0 : steps.back().entries.last;
    steps.push_back({node.op, node.share, {first, static_cast<std::uint32_t>(entries.size())}, {}, {}});
    steps.back().needs = add(needs, needs_of_node);
    steps.back().before = add(ranges, before);
  }
  void end_stage(const NodeSet& needed, const std::vector<std::uint32_t>& live) {
    stages.push_back({static_cast<std::uint32_t>(steps.size()), add(ranges, needed), add(moments, live)});
  }

 private:
  template <class T>
  static Span add(std::vector<T>& list, const std::vector<T>& more) {
    const auto first = static_cast<std::uint32_t>(list.size());
    list.insert(list.end(), more.begin(), more.end());
    return {first, static_cast<std::uint32_t>(list.size())};
  }
};

/// bound(), recorded on `tape` if it is not null.
Bound record_bound(const Trace& trace, const MachineView& machine, Tape* tape);

}  // namespace archsim
