#include "models/roofline/recorded.h"

#include <list>

#include "models/roofline/score.h"

namespace archsim {
namespace {

constexpr std::size_t kMostScores = 8;  // assumed: more ways to share work with the host are rare

StageBounds without_operators(Bound bound) {
  return {bound.time, std::move(bound.stages), std::move(bound.dram_bytes)};
}

}  // namespace

struct RecordedBound::State {
  explicit State(const Trace& of) : trace(of) {}
  const Trace& trace;
  std::list<Score> scores;  // used last first
};

RecordedBound::RecordedBound(const Trace& trace) : state_(std::make_unique<State>(trace)) {}
RecordedBound::~RecordedBound() = default;

StageBounds RecordedBound::operator()(const MachineView& machine) {
  auto& scores = state_->scores;
  const auto peaks = operator_peaks(state_->trace, machine);
  const MachineLimits limits{machine.dram.peak.value, static_cast<double>(prefetch_capacity(machine).value)};
  for (auto score = scores.begin(); score != scores.end(); ++score) {
    if (!score->has_same_host(peaks)) continue;
    if (auto played = score->play(peaks, limits)) {
      scores.splice(scores.begin(), scores, score);
      return *std::move(played);
    }
  }
  Tape tape;
  auto recorded = record_bound(state_->trace, machine, &tape);
  scores.emplace_front(tape);
  if (scores.size() > kMostScores) scores.pop_back();
  return without_operators(std::move(recorded));
}

}  // namespace archsim
