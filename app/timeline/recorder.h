// What a run does over time, while it goes on: slices of every engine, and how busy memories and links are. Of bounded size: where
// there is too much, neighbouring slices become one that says how many pieces of work it stands for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arch/block/work_watch.h"
#include "arch/machine/run_result.h"

namespace archsim {

/// Commands of one executed instance that an engine did one after another, or, after aggregation, work of several.
struct TimelineSlice {
  Time start = Time::zero(), end = Time::zero(), busy = Time::zero();
  std::uint32_t operator_index = 0;
  std::uint64_t iteration = 0;
  std::uint64_t commands = 0;
  std::uint64_t slices = 1;  // more than one: neighbours that were joined; the operator is the first one's
};

/// How busy an engine of a memory or interconnect was, from one sample to the next.
struct TimelineCounter {
  std::string block, engine;
  std::vector<double> busy;  // parts of the time since the sample before
};

class TimelineRecorder {
 public:
  static constexpr std::size_t kMostSlices = 100'000, kMostSamples = 1'000;

  /// `most_slices`: of all tracks together.
  explicit TimelineRecorder(std::size_t accelerators, std::size_t most_slices = kMostSlices);

  void work(const WorkSpan& span);
  void sample(Time now, const std::vector<BlockReport>& reports);

  /// By accelerator and engine, then the host. Within a track sorted and without overlap.
  const std::vector<std::vector<TimelineSlice>>& tracks() const { return tracks_; }
  std::size_t host_track() const { return tracks_.size() - 1; }
  const std::vector<Time>& sample_times() const { return times_; }
  const std::vector<TimelineCounter>& counters() const { return counters_; }
  /// Neighbours within so much time were joined; zero: none.
  Time resolution() const { return resolution_; }

 private:
  void coarsen();
  void thin();

  std::size_t most_slices_, slices_ = 0;
  Time resolution_ = Time::zero();
  std::vector<std::vector<TimelineSlice>> tracks_;
  std::vector<Time> times_;
  std::vector<TimelineCounter> counters_;
  std::vector<Time> busy_before_;
  std::uint64_t calls_ = 0, stride_ = 1;
  Time last_sample_ = Time::zero();
};

}  // namespace archsim
