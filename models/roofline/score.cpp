#include "models/roofline/score.h"

#include <algorithm>

namespace archsim {

class Score::Maker {
 public:
  Maker(const Tape& tape, Score& score) : tape_(tape), score_(score), added_(tape.begins.size()) {}

  void make() {
    score_.begins_ = tape_.begins;
    score_.needs_ = tape_.needs;
    score_.comparisons_ = tape_.comparisons;
    score_.by_host_ = tape_.by_host;
    find_places();
    std::size_t stage = 0;
    for (std::uint32_t node = 0; node < tape_.steps.size(); ++node) {
      add_step(node);
      for (; stage < tape_.stages.size() && tape_.stages[stage].nodes == node + 1; ++stage) {
        add_stage(tape_.stages[stage]);
      }
    }
    for (; stage < tape_.stages.size(); ++stage) add_stage(tape_.stages[stage]);
  }

 private:
  using Range = std::pair<std::uint32_t, std::uint32_t>;

  void find_places() {
    std::vector<std::uint32_t> lengths(tape_.begins.size(), 1);
    for (const auto& entry : tape_.entries) lengths[entry.moment] += entry.is_nothing() ? 0 : 1;
    for (const auto length : lengths) {
      score_.places_.push_back(score_.sums_);
      score_.sums_ += length;
    }
  }

  void add_step(std::uint32_t node) {
    const auto& step = tape_.steps[node];
    const bool adds_itself_only = extends_a_need(node);
    const Range* ranges = tape_.ranges.data();
    Step made{step.op, step.share, {size(score_.entries_), 0}, step.needs};
    for (auto i = step.entries.first; i < step.entries.last; ++i) {
      const auto& entry = tape_.entries[i];
      if (entry.is_nothing() && adds_itself_only) continue;  // what is asked for was asked for the need
      Entry out{kNothing, entry.work_follows, entry.bytes, {}};
      if (!entry.is_nothing()) {
        added_[entry.moment].push_back(node);
        out.place = score_.places_[entry.moment] + size(added_[entry.moment]);
      }
      out.query = query(entry.moment, ranges + step.before.first, ranges + step.before.last);
      if (!entry.is_nothing() || out.query.differences.first < out.query.differences.last)
        score_.entries_.push_back(out);
    }
    made.entries.last = size(score_.entries_);
    score_.steps_.push_back(made);
  }

  /// Whether one of the node's needs needs all that it needs.
  bool extends_a_need(std::uint32_t node) const {
    const auto& step = tape_.steps[node];
    return std::any_of(tape_.needs.begin() + step.needs.first, tape_.needs.begin() + step.needs.last, [&](auto need) {
      NodeSet set(tape_.ranges.begin() + tape_.steps[need].before.first,
                  tape_.ranges.begin() + tape_.steps[need].before.last);
      unite(set, {{node, node + 1}});
      return std::equal(set.begin(), set.end(), tape_.ranges.begin() + step.before.first,
                        tape_.ranges.begin() + step.before.last);
    });
  }

  // The nodes that add to the moment are few; a range of nodes is a range of them.
  Query query(std::uint32_t moment, const Range* first, const Range* last) {
    const auto& added = added_[moment];
    const auto place = [&](std::uint32_t node) {
      return score_.places_[moment] +
             static_cast<std::uint32_t>(std::lower_bound(added.begin(), added.end(), node) - added.begin());
    };
    Query made{moment, false, {size(score_.differences_), 0}};
    for (const auto* range = first; range != last; ++range) {
      made.has_own = made.has_own || (range->first <= begin_of(moment).own && begin_of(moment).own < range->second);
      const Difference difference{place(range->second), place(range->first)};
      if (difference.to == difference.from) continue;
      const bool joins =
          size(score_.differences_) > made.differences.first && score_.differences_.back().to == difference.from;
      if (joins) {
        score_.differences_.back().to = difference.to;
      } else {
        score_.differences_.push_back(difference);
      }
    }
    made.differences.last = size(score_.differences_);
    return made;
  }

  void add_stage(const Tape::StageEnd& stage) {
    const Range every{0, stage.nodes};
    const Range* needed = tape_.ranges.data();
    StageEnd made{stage.nodes, {size(score_.queries_), 0}, {}};
    for (auto i = stage.moments.first; i < stage.moments.last; ++i) {
      score_.queries_.push_back(query(tape_.moments[i], needed + stage.needed.first, needed + stage.needed.last));
    }
    made.needed.last = made.all.first = size(score_.queries_);
    for (auto i = stage.moments.first; i < stage.moments.last; ++i) {
      score_.queries_.push_back(query(tape_.moments[i], &every, &every + 1));
    }
    made.all.last = size(score_.queries_);
    score_.stages_.push_back(made);
  }

  const Tape::Begin& begin_of(std::uint32_t moment) const { return tape_.begins[moment]; }
  template <class T>
  static std::uint32_t size(const std::vector<T>& list) {
    return static_cast<std::uint32_t>(list.size());
  }

  const Tape& tape_;
  Score& score_;
  std::vector<std::vector<std::uint32_t>> added_;  // by moment: the nodes so far that added to it
};

Score::Score(const Tape& tape) { Maker(tape, *this).make(); }

bool Score::has_same_host(const std::vector<OperatorPeak>& peaks) const {
  return std::equal(peaks.begin(), peaks.end(), by_host_.begin(), by_host_.end(),
                    [](const auto& peak, bool by_host) { return peak.by_host == by_host; });
}

}  // namespace archsim
