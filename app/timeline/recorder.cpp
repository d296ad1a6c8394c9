#include "app/timeline/recorder.h"

#include <algorithm>

namespace archsim {
namespace {

bool are_of_one_instance(const TimelineSlice& slice, const WorkSpan& span) {
  return slice.slices == 1 && slice.operator_index == span.operator_index && slice.iteration == span.iteration;
}

void join(TimelineSlice& slice, const TimelineSlice& next) {
  slice.end = std::max(slice.end, next.end);
  slice.busy += next.busy;
  slice.commands += next.commands;
  slice.slices += next.slices;
}

}  // namespace

TimelineRecorder::TimelineRecorder(std::size_t accelerators, std::size_t most_slices)
    : most_slices_(most_slices), tracks_(accelerators * kEngines + 1) {}

void TimelineRecorder::work(const WorkSpan& span) {
  auto& track =
      span.is_host ? tracks_.back() : tracks_[span.accelerator * kEngines + static_cast<std::size_t>(span.engine)];
  if (!track.empty() && are_of_one_instance(track.back(), span)) {
    TimelineSlice& slice = track.back();
    slice.end = std::max(slice.end, span.end);
    slice.busy += span.busy;
    ++slice.commands;
    return;
  }
  // Transfers overlap; the engine is given to the later one when the one before it has ended.
  const Time start = track.empty() ? span.start : std::max(span.start, track.back().end);
  if (span.end <= start) return;
  track.push_back({.start = start,
                   .end = span.end,
                   .busy = span.busy,
                   .operator_index = span.operator_index,
                   .iteration = span.iteration,
                   .commands = 1});
  if (++slices_ > most_slices_) coarsen();
}

void TimelineRecorder::coarsen() {
  while (slices_ > most_slices_ / 2) {
    resolution_ = resolution_ == Time::zero() ? 1_us : resolution_ * 2;
    slices_ = 0;
    for (auto& track : tracks_) {
      std::vector<TimelineSlice> kept;
      for (const TimelineSlice& slice : track) {
        if (!kept.empty() && slice.end - kept.back().start <= resolution_) {
          join(kept.back(), slice);
        } else {
          kept.push_back(slice);
        }
      }
      track = std::move(kept);
      slices_ += track.size();
    }
  }
}

void TimelineRecorder::sample(Time now, const std::vector<BlockReport>& reports) {
  if (++calls_ % stride_ != 0 || now <= last_sample_) return;
  const double length = static_cast<double>((now - last_sample_).value);
  std::size_t i = 0;
  for (const BlockReport& report : reports) {
    for (const EngineReport& engine : report.engines) {
      if (i == counters_.size()) {
        counters_.push_back({report.name, engine.name, {}});
        busy_before_.push_back(Time::zero());
      }
      const Time done = engine.busy - std::min(engine.busy, busy_before_[i]);
      // What is booked ahead counts where it was booked.
      counters_[i].busy.push_back(std::min(1.0, static_cast<double>(done.value) / length));
      busy_before_[i] = std::max(busy_before_[i], engine.busy);
      ++i;
    }
  }
  times_.push_back(now);
  last_sample_ = now;
  if (times_.size() > kMostSamples) thin();
}

void TimelineRecorder::thin() {
  stride_ *= 2;
  const auto halve = [this](std::vector<double>& values) {
    std::vector<double> kept;
    for (std::size_t i = 1; i < values.size(); i += 2) {
      const double first = static_cast<double>((times_[i - 1] - (i > 1 ? times_[i - 2] : Time::zero())).value);
      const double second = static_cast<double>((times_[i] - times_[i - 1]).value);
      kept.push_back((values[i - 1] * first + values[i] * second) / (first + second));
    }
    if (values.size() % 2 == 1) kept.push_back(values.back());
    values = std::move(kept);
  };
  for (TimelineCounter& counter : counters_) halve(counter.busy);
  std::vector<Time> kept;
  for (std::size_t i = 1; i < times_.size(); i += 2) kept.push_back(times_[i]);
  if (times_.size() % 2 == 1) kept.push_back(times_.back());
  times_ = std::move(kept);
}

}  // namespace archsim
