#include "app/answer/roofline_answer.h"

#include <algorithm>
#include <utility>

#include "app/account/label.h"
#include "app/answer/repeat_path.h"
#include "models/roofline/doubled.h"
#include "models/roofline/peaks.h"

namespace archsim {
namespace {

/// The bound as it is and with each resource doubled; what the bound does not know changes nothing.
struct WhatIf {
  Lanes time{0.0};
  std::vector<Lanes> stages;  // ends
};

void set(WhatIf& what_if, Doubling doubling, const Bound& bound) {
  what_if.time.set(doubling, static_cast<double>(bound.time.value));
  for (std::size_t s = 0; s < bound.stages.size(); ++s) {
    what_if.stages[s].set(doubling, static_cast<double>(bound.stages[s].value));
  }
}

WhatIf what_if(const Trace& trace, const MachineView& machine, const Bound& now) {
  WhatIf found;
  found.stages.assign(now.stages.size(), Lanes(0.0));
  for (std::size_t i = 0; i < kDoublings; ++i) {
    const auto doubling = static_cast<Doubling>(i);
    const auto twice = doubled(machine, doubling);
    set(found, doubling, twice ? bound(trace, *twice) : now);
  }
  return found;
}

std::string_view engine_of(const OperatorPeak& peak) {
  if (peak.by_host) return "host";
  if (peak.macs > 0) return "array";
  return peak.vector_s > 0.0 ? "vector" : "dma";
}

class Teller {
 public:
  Teller(const Trace& trace, const MachineView& machine)
      : trace_(trace),
        machine_(machine),
        bound_(bound(trace, machine)),
        peaks_(operator_peaks(trace, machine)),
        positions_(positions(trace)) {}

  Answer make() {
    answer_.counts = count(trace_);
    answer_.time = answer_.lower_bound = bound_.time;
    answer_.efficiency = bound_.time == Time::zero() ? 0.0 : 1.0;
    add_operators();
    add_stages();
    return std::move(answer_);
  }

 private:
  double utilization(const OperatorPeak& peak, double macs, Time duration) const {
    // The part of the time that the arrays have at peak work to do.
    if (duration == Time::zero() || peak.macs == 0) return 0.0;
    return std::min(1.0, peak.compute_s * macs / static_cast<double>(peak.macs) / seconds(duration));
  }

  void add_operators() {
    for (const OperatorBound& each : bound_.operators) {
      const OperatorPeak& peak = peaks_[each.operator_index];
      const double own_s = std::max({peak.compute_s, peak.vector_s, peak.host_s});
      const auto own = std::min(each.end, Time(static_cast<std::uint64_t>(own_s * 1e12)));
      const Position& position = positions_[each.operator_index];
      OperatorRow row{.index = answer_.operators.size(),
                      .operator_index = each.operator_index,
                      .stage = trace_.stages[position.stage].name,
                      .repeat_path = repeat_path(trace_, position, each.iteration),
                      .engine = std::string(engine_of(peak)),
                      .start = each.end - own,
                      .end = each.end,
                      .macs = answer_.counts.operators[each.operator_index].macs,
                      .dram_bytes = peak.dram_bytes};
      row.bound = peak.longest_s() > 0.0 ? std::string(peak.roof()) : "dependency";
      row.utilization = utilization(peak, static_cast<double>(peak.macs), own);
      answer_.operators.push_back(std::move(row));
    }
  }

  void add_stages() {
    const auto lanes = what_if(trace_, machine_, bound_);
    std::vector<double> arrays_s(trace_.stages.size(), 0.0);
    for (std::size_t i = 0; i < peaks_.size(); ++i) {
      arrays_s[positions_[i].stage] += peaks_[i].compute_s * static_cast<double>(positions_[i].instances);
    }
    Time end = Time::zero();
    Lanes end_again(0.0);
    for (std::size_t s = 0; s < trace_.stages.size(); ++s) {
      const bool is_last = s + 1 == trace_.stages.size();
      const Time next = std::max(end, is_last ? std::max(bound_.time, bound_.stages[s]) : bound_.stages[s]);
      const Lanes next_again = later(end_again, is_last ? later(lanes.time, lanes.stages[s]) : lanes.stages[s]);
      const auto& counts = answer_.counts.stages[s];
      StageRow row{.name = trace_.stages[s].name, .repeat = counts.repeat, .time = next - end};
      row.macs = counts.once.macs * counts.repeat;
      row.dram_bytes = bound_.dram_bytes[s] - (s == 0 ? 0 : bound_.dram_bytes[s - 1]);
      row.lower_bound = row.time;
      row.length = next_again - end_again;
      row.bound = bound_of(row.length);
      row.utilization = row.time == Time::zero() ? 0.0 : std::min(1.0, arrays_s[s] / seconds(row.time));
      answer_.dram_read_bytes += row.dram_bytes;
      answer_.stages.push_back(std::move(row));
      end = next;
      end_again = next_again;
    }
    answer_.bound = bound_of(end_again);
  }

  const Trace& trace_;
  const MachineView& machine_;
  Bound bound_;
  std::vector<OperatorPeak> peaks_;
  std::vector<Position> positions_;
  Answer answer_;
};

}  // namespace

Answer roofline_answer(const Trace& trace, const MachineView& machine) { return Teller(trace, machine).make(); }

}  // namespace archsim
