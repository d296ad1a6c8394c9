#include "arch/machine/price/power.h"

#include <algorithm>
#include <numeric>

namespace archsim {
namespace {

constexpr std::size_t kSamples = 500;
constexpr double kShortest = 1e-9;  // seconds: what takes no time is drawn in one clock or so

// Energy drawn by a moment: a broken line.
class Drawn {
 public:
  Drawn(double time_s, double background_w, const std::vector<EnergySpan>& spans) : background_w_(background_w) {
    struct Step {
      double at, watts;
    };
    std::vector<Step> steps{{0.0, 0.0}, {time_s, 0.0}};
    for (const EnergySpan& span : spans) {
      const double end = std::min(time_s, std::max(span.end_s, span.start_s + kShortest));
      const double start = std::clamp(span.start_s, 0.0, std::max(0.0, end - kShortest));
      if (end <= start) continue;
      const double watts = span.energy_j / (end - start);
      steps.push_back({start, watts});
      steps.push_back({end, -watts});
    }
    std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.at < b.at; });
    double watts = 0.0, joules = 0.0, last = 0.0;
    for (const Step& step : steps) {
      joules += watts * (step.at - last);
      last = step.at;
      watts += step.watts;
      if (!times_.empty() && times_.back() == step.at) {
        joules_.back() = joules;
      } else {
        times_.push_back(step.at);
        joules_.push_back(joules);
      }
    }
  }

  double by(double time) const {
    const auto next = std::upper_bound(times_.begin(), times_.end(), time);
    if (next == times_.begin()) return 0.0;
    const auto i = static_cast<std::size_t>(next - times_.begin());
    if (i == times_.size()) return joules_.back() + background_w_ * times_.back();
    const double part = (time - times_[i - 1]) / (times_[i] - times_[i - 1]);
    return joules_[i - 1] + part * (joules_[i] - joules_[i - 1]) + background_w_ * time;
  }

  // The mean over a window changes its course only where one of its ends is at a corner of the line.
  double peak(double window) const {
    const double end = times_.back();
    if (window >= end) return end > 0.0 ? by(end) / end : 0.0;
    double most = 0.0;
    for (const double corner : times_) {
      for (const double start : {corner, corner - window}) {
        const double begin = std::clamp(start, 0.0, end - window);
        most = std::max(most, (by(begin + window) - by(begin)) / window);
      }
    }
    return most;
  }

 private:
  double background_w_;
  std::vector<double> times_, joules_;  // without the background
};

}  // namespace

PowerOverTime power_over_time(double time_s, double background_w, std::vector<EnergySpan> spans) {
  PowerOverTime power;
  if (time_s <= 0.0) return power;
  const Drawn drawn(time_s, background_w, spans);
  power.average_w = drawn.by(time_s) / time_s;
  power.peak_1us_w = drawn.peak(1e-6);
  power.peak_10us_w = drawn.peak(1e-5);
  power.peak_1ms_w = drawn.peak(1e-3);
  power.interval_s = time_s / static_cast<double>(kSamples);
  double before = 0.0;
  for (std::size_t i = 1; i <= kSamples; ++i) {
    const double now = drawn.by(time_s * static_cast<double>(i) / static_cast<double>(kSamples));
    power.watts.push_back((now - before) / power.interval_s);
    before = now;
  }
  return power;
}

PowerOverTime power_over_time(const RunResult& run, const Ppa& ppa, double dram_bytes_per_s) {
  const auto accelerators = static_cast<double>(std::max<std::ptrdiff_t>(
      1, std::count_if(run.blocks.begin(), run.blocks.end(), [](const BlockReport& b) { return b.kind == "accel"; })));
  std::vector<EnergySpan> spans;
  for (std::size_t i = 0; i < run.operators.size(); ++i) {
    const OperatorRun& op = run.operators[i];
    const double start = seconds(op.start), end = seconds(op.end);
    const double moving =
        std::max(seconds(op.load_busy) / accelerators, static_cast<double>(op.dram_bytes) / dram_bytes_per_s);
    spans.push_back({start, end, ppa.operators_own_j[i]});
    spans.push_back({std::min(start, end - moving), end, ppa.operators_j[i] - ppa.operators_own_j[i]});
  }
  const double own = std::accumulate(ppa.operators_j.begin(), ppa.operators_j.end(), 0.0);
  const double time_s = seconds(run.time);
  return power_over_time(time_s, time_s > 0.0 ? (ppa.energy_j.nominal - own) / time_s : 0.0, std::move(spans));
}

}  // namespace archsim
