#include "sweep/search/refine.h"

#include <algorithm>
#include <set>

#include "sweep/space/bounds.h"

namespace archsim {
namespace {

class Refinement {
 public:
  Refinement(const Space& space, Trials& trials) : space_(space), plan_(space.plan()), trials_(trials) {}

  std::optional<Refined> run(PointSource& source) {
    list(source);
    report_.points = candidates_.size();
    trials_.expect(report_.points);
    // What has been simulated before needs no bounds.
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (trials_.has_result(candidates_[i].asked.point, rungs_.back())) candidates_[i].next = rungs_.size() - 1;
      chosen.push_back(i);
    }
    for (; !chosen.empty(); chosen = foremost()) {
      if (!climb(chosen)) return {};
      leave_out();
    }
    return report_;
  }

 private:
  struct Candidate {
    Asked asked;
    Span span;
    std::size_t next = 0;  // its next rung
    bool is_open = true;
  };

  void list(PointSource& source) {
    std::set<Point> seen;
    while (auto point = source.next()) {
      if (!seen.insert(*point).second) continue;
      const std::uint64_t id = candidates_.size() + 1;
      candidates_.push_back({{id, *std::move(point)}, Span::unknown(plan_.objectives.size())});
    }
  }

  /// Each of `chosen` goes up one rung.
  bool climb(const std::vector<std::size_t>& chosen) {
    for (std::size_t rung = rungs_.size(); rung-- > 0;) {
      std::vector<std::size_t> here;
      for (const auto i : chosen) {
        if (candidates_[i].next == rung) here.push_back(i);
      }
      if (!here.empty() && !climb_from(rung, here)) return false;
    }
    return true;
  }

  bool climb_from(std::size_t rung, const std::vector<std::size_t>& chosen) {
    std::vector<Asked> asked;
    asked.reserve(chosen.size());
    for (const auto i : chosen) asked.push_back(candidates_[i].asked);
    if (rung > 0) trials_.expect(report_.points + report_.simulated + asked.size());
    const auto results = trials_.results_of(asked, rungs_[rung]);
    if (!results) return false;
    for (std::size_t i = 0; i < chosen.size(); ++i) take(candidates_[chosen[i]], (*results)[i], rung);
    return true;
  }

  void take(Candidate& candidate, const PointResult& result, std::size_t rung) {
    const bool is_last = rung + 1 == rungs_.size();
    candidate.next = rung + 1;
    candidate.is_open = !is_last && result.status != PointStatus::failed;
    if (is_last) ++report_.simulated;
    if (result.status == PointStatus::failed) return;
    if (is_last && result.status != PointStatus::done) return;
    candidate.span.narrow(plan_, result.metrics, rungs_[rung]);
    if (is_last) fresh_.push_back(candidate.span.high);
    if (!is_last) judge_bounds(candidate, result, rungs_[rung]);
  }

  void judge_bounds(Candidate& candidate, const PointResult& result, Fidelity fidelity) {
    const auto numbers = numbers_with(space_, candidate.asked.point, result.metrics);
    for (const auto& constraint : plan_.constraints) {
      if (constraint.is_of_axes || !is_broken_for_sure(plan_, constraint, numbers, fidelity)) continue;
      PointResult settled = result;
      settled.status = PointStatus::infeasible;
      settled.error = constraint.text;
      trials_.settle(candidate.asked, settled, fidelity);
      candidate.is_open = false;
      ++report_.infeasible;
      return;
    }
  }

  void leave_out() {
    for (auto& candidate : candidates_) {
      const auto beats = [&](const Goals& goals) { return dominates(goals, candidate.span.low); };
      if (!candidate.is_open || std::none_of(fresh_.begin(), fresh_.end(), beats)) continue;
      candidate.is_open = false;
      ++report_.bounded;
    }
    fresh_.clear();
  }

  /// The open points whose bounds no other open point's bounds beat.
  std::vector<std::size_t> foremost() const {
    std::vector<std::size_t> open;
    std::vector<Goals> lows;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (!candidates_[i].is_open) continue;
      open.push_back(i);
      lows.push_back(candidates_[i].span.low);
    }
    std::vector<std::size_t> chosen;
    for (const auto i : front_of(lows)) chosen.push_back(open[i]);
    std::sort(chosen.begin(), chosen.end());
    return chosen;
  }

  const Space& space_;
  const Plan& plan_;
  Trials& trials_;
  const std::vector<Fidelity> rungs_ = ladder();
  std::vector<Candidate> candidates_;
  std::vector<Goals> fresh_;  // of feasible points simulated since the last time points were left out
  Refined report_;
};

}  // namespace

std::vector<Fidelity> ladder() { return {Fidelity::roofline, Fidelity::full}; }

std::optional<Refined> refine(const Space& space, PointSource& source, Trials& trials) {
  return Refinement(space, trials).run(source);
}

}  // namespace archsim
