// One DRAM channel alone under a synthetic load.
#pragma once

#include <optional>
#include <vector>

#include "models/dram/exact_channel.h"
#include "models/dram/probe/streams.h"

namespace archsim {

struct DramProbe {
  DramStandard standard;
  ControllerParams controller;
  DramPattern pattern = DramPattern::seq;
  DramAccess access = DramAccess::r;
  std::optional<double> load = {};  // of the peak; without it all requests are there from the beginning
  std::uint64_t requests = 40000;
  DramTemperature temperature = DramTemperature::normal;
};

struct DramProbeResult {
  double time_s = 0.0, bandwidth_bytes_per_s = 0.0, peak_bytes_per_s = 0.0;
  /// Of reads, from the first burst's acceptance to the last data; absent without reads.
  std::optional<double> latency_avg_s = {}, latency_p50_s = {}, latency_p99_s = {};
  /// From arrival, so with the wait for a place in the queue.
  std::optional<double> latency_from_arrival_avg_s = {};
  DramCounts counts;
  double powered_down_s = 0.0;

  std::uint64_t row_hits() const {
    const std::uint64_t columns = counts.reads + counts.writes;
    return columns - std::min(columns, counts.activates);
  }
};

/// Of all reads, in clocks or slots of `unit_s`; `from_arrival`: the sum of those with the wait for a place. Nothing without reads.
void set_latencies(DramProbeResult& result, std::vector<Slot> latencies, double from_arrival, double unit_s);

/// Whether the fast channel (models/dram/channel.h) stands for this probe: a sequential stream of reads or of writes, with the
/// controller of `default`, its address map and policies. Everything else falls back to the exact one.
bool has_fast_answer(const DramProbe& probe);
DramProbeResult probe_fast(const DramProbe& probe);

/// Command by command. `log`, if any, gets every command.
Checked<DramProbeResult> probe_exactly(const DramProbe& probe, std::vector<LoggedCommand>* log = nullptr);

/// Three reads, each long after the one before: of a closed bank, of the row that it opened, of another row of the bank.
struct DramIdleLatency {
  double closed_bank_s, row_hit_s, row_conflict_s;
};
Checked<DramIdleLatency> idle_latency(const DramStandard& standard, const ControllerParams& controller);

}  // namespace archsim
