// What a cache moves to and from the DRAM.
#include <algorithm>

#include "models/sram/cache/cache.h"

namespace archsim {
namespace {

/// The arrivals of a run's lines: one pace from its first data to its end, and none before its own round trip.
class Pace {
 public:
  Pace(Time first, Time done, std::uint64_t lines) : first_(first), time_(done - first), lines_(lines) {}
  Time next() { return first_ + Time(time_.value * ++line_ / lines_); }

 private:
  Time first_, time_;
  std::uint64_t lines_, line_ = 0;
};

}  // namespace

std::vector<Time> Cache::displace(const Looked& looked, Time at, Trip& trip) {
  Slice& slice = slices_[trip.port];
  std::vector<Time> granted;
  std::vector<LineRange> ranges;
  for (const Victim& victim : looked.victims) ranges.push_back(line_range(victim.line, trip.port));
  for (const LineRun& run : runs(ranges)) {
    const Time start = slice.leaving.next(std::max(at, looked.victims[granted.size()].there));
    move_lines(slice, run.lines, start, false);
    const Answer answer = send(run, true, start, trip);
    Pace pace(answer.first, answer.done, run.lines);
    for (std::uint64_t i = 0; i < run.lines; ++i) {
      granted.push_back(slice.leaving.ask(std::max(at, looked.victims[granted.size()].there)));
      slice.leaving.arrives(std::max(granted.back() + answer.latency, pace.next()));
    }
  }
  return granted;
}

Cache::Moved Cache::fetch(const Looked& looked, const std::vector<Time>& granted, Time at, Trip& trip) {
  Slice& slice = slices_[trip.port];
  Moved moved;
  std::vector<LineRange> ranges;
  for (const Fetch& fetch : looked.fetches) ranges.push_back(line_range(fetch.line, trip.port));
  std::size_t next = 0;
  const auto ready = [&](std::size_t i) {
    const std::size_t victim = looked.fetches[i].victim;
    return victim == kNone ? at : std::max(at, granted[victim]);
  };
  for (const LineRun& run : runs(ranges)) {
    const Time start = slice.fills.next(ready(next));
    const Answer answer = send(run, false, start, trip);
    move_lines(slice, run.lines, answer.first, true);
    Pace pace(answer.first, answer.done, run.lines);
    for (std::uint64_t i = 0; i < run.lines; ++i, ++next) {
      moved.asked = slice.fills.ask(ready(next));
      const Time there = std::max(moved.asked + answer.latency, pace.next());
      slice.fills.arrives(there);
      slice.there[looked.fetches[next].slot] = there;
      if (next == 0) moved.first = there;
      if (there < moved.last) continue;
      moved.last = there;
      moved.spent = answer.spent;
    }
    moved.latency = answer.latency;
  }
  return moved;
}

Cache::Moved Cache::pass_on(const std::vector<LineRange>& ranges, Time at, Trip& trip) {
  Slice& slice = slices_[trip.port];
  Moved moved;
  for (const LineRun& run : runs(ranges)) {
    const Answer answer = send(run, true, slice.leaving.next(at), trip);
    Pace pace(answer.first, answer.done, run.lines);
    for (std::uint64_t i = 0; i < run.lines; ++i) {
      moved.asked = slice.leaving.ask(at);
      const Time there = std::max(moved.asked + answer.latency, pace.next());
      slice.leaving.arrives(there);
      if (there < moved.last) continue;
      moved.last = there;
      moved.spent = answer.spent;
    }
    moved.latency = answer.latency;
  }
  return moved;
}

}  // namespace archsim
