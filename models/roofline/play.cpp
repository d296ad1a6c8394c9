#include <algorithm>

#include "models/roofline/moment.h"
#include "models/roofline/rounding.h"
#include "models/roofline/score.h"

namespace archsim {

// Follows Recurrence in bound.cpp and Moment::after, step by step.
class Score::Player {
 public:
  Player(const Score& score, const std::vector<OperatorPeak>& peaks, const MachineLimits& limits)
      : score_(score),
        peaks_(peaks),
        limits_(limits),
        seconds_per_byte_(limits.bytes_per_second > 0.0 ? 1.0 / limits.bytes_per_second : 0.0),
        sums_(score.sums_),
        earliest_(score.begins_.size()),
        end_(score.steps_.size()) {}

  std::optional<StageBounds> run() {
    StageBounds out;
    std::uint32_t node = 0;
    double whole_s = 0.0, bytes = 0.0;
    for (const auto& stage : score_.stages_) {
      Earliest end;
      for (; node < stage.nodes; ++node) {
        visit(node);
        if (!follows_the_record(node)) return {};
        end = later(end, end_[node]);
      }
      const auto ended = latest(stage.needed, end), all = latest(stage.all, {});
      whole_s = std::max({whole_s, ended.time_s, all.time_s});
      bytes = std::max({bytes, ended.bytes, all.bytes});
      out.stages.push_back(rounded_down(ended.time_s));
      out.dram_bytes.push_back(static_cast<std::uint64_t>(bytes));
    }
    out.time = rounded_down(whole_s);
    return out;
  }

 private:
  static Earliest later(const Earliest& a, const Earliest& b) {
    return {std::max(a.time_s, b.time_s), std::max(a.bytes, b.bytes)};
  }

  void visit(std::uint32_t node) {
    const Step& step = score_.steps_[node];
    const OperatorPeak& peak = peaks_[step.op];
    Earliest end;
    for (auto i = step.needs.first; i < step.needs.last; ++i) end = later(end, end_[score_.needs_[i]]);
    if (peak.by_host) end.time_s += peak.host_s;
    const double array_s = peak.compute_s * step.share, vector_s = peak.vector_s * step.share,
                 host_s = peak.host_s * step.share;
    for (auto i = step.entries.first; i < step.entries.last; ++i) {
      const Entry& entry = score_.entries_[i];
      if (entry.place != kNothing) {
        Work sum = sums_[entry.place - 1];
        if (entry.work_follows) {
          sum.array_s += array_s;
          sum.vector_s += vector_s;
          sum.host_s += host_s;
        }
        sum.bytes += entry.bytes;
        sums_[entry.place] = sum;
      }
      consider(entry.query, end);
    }
    end_[node] = in_time(end);
  }

  Earliest in_time(Earliest end) const {
    end.time_s = std::max(end.time_s, end.bytes * seconds_per_byte_);
    return end;
  }

  Earliest latest(const Span& queries, Earliest end) const {
    for (auto i = queries.first; i < queries.last; ++i) consider(score_.queries_[i], end);
    return in_time(end);
  }

  void consider(const Query& query, Earliest& end) const {
    double array_s = 0.0, vector_s = 0.0, host_s = 0.0, bytes = 0.0;
    for (auto i = query.differences.first; i < query.differences.last; ++i) {
      const Work& to = sums_[score_.differences_[i].to];
      const Work& from = sums_[score_.differences_[i].from];
      array_s += to.array_s - from.array_s;
      vector_s += to.vector_s - from.vector_s;
      host_s += to.host_s - from.host_s;
      bytes += to.bytes - from.bytes;
    }
    const auto& begin = score_.begins_[query.moment];
    const double work_s = std::max({array_s, vector_s, host_s});
    if (work_s <= 0.0 && bytes <= 0.0 && !begin.is_start && !query.has_own) return;
    bytes = std::max(0.0, begin.is_start ? bytes : bytes - limits_.bytes_on_chip);
    const Earliest& at = earliest_[query.moment];
    end.time_s = std::max(end.time_s, at.time_s + std::max(work_s, bytes * seconds_per_byte_));
    end.bytes = std::max(end.bytes, at.bytes + bytes);
  }

  /// Begins the node's moments; false if the record compared host operations otherwise.
  bool follows_the_record(std::uint32_t node) {
    const auto& comparisons = score_.comparisons_;
    for (; comparison_ < comparisons.size() && comparisons[comparison_].node == node; ++comparison_) {
      const auto& said = comparisons[comparison_];
      const double at_s = earliest_[said.moment].time_s, now_s = end_[node].time_s;
      if ((at_s <= now_s) != said.not_later || (at_s == now_s) != said.equal) return false;
    }
    for (; moment_ < score_.begins_.size() && score_.begins_[moment_].own == node; ++moment_) {
      earliest_[moment_] = end_[node];
      if (score_.begins_[moment_].is_time) earliest_[moment_].bytes = 0.0;
    }
    return true;
  }

  const Score& score_;
  const std::vector<OperatorPeak>& peaks_;
  const MachineLimits& limits_;
  double seconds_per_byte_;
  std::vector<Work> sums_;          // at their places
  std::vector<Earliest> earliest_;  // of each moment
  std::vector<Earliest> end_;       // of each node
  std::size_t comparison_ = 0, moment_ = 1;
};

std::optional<StageBounds> Score::play(const std::vector<OperatorPeak>& peaks, const MachineLimits& limits) const {
  return Player(*this, peaks, limits).run();
}

}  // namespace archsim
