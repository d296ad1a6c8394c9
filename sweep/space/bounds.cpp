#include "sweep/space/bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sweep/space/limit.h"

namespace archsim {

// Held by tests/sweep/refine_test.cpp: on random machines no simulation is outside.
Sense sense_of(Metric metric, Fidelity fidelity) {
  if (fidelity == Fidelity::full) return Sense::exact;
  const bool is_bound = fidelity == Fidelity::roofline;  // any other is an estimate, which says nothing for sure
  switch (metric) {
    case Metric::latency:     // no mapping beats the bound
    case Metric::energy:      // compulsory events, and what leaks in the bound's time
    case Metric::dram_bytes:  // compulsory ones
      return is_bound ? Sense::at_least : Sense::unknown;
    case Metric::rate:
    case Metric::efficiency:
    case Metric::utilization:
      return is_bound ? Sense::at_most : Sense::unknown;
    case Metric::bound:
    case Metric::macs:
    case Metric::peak_macs_per_s:
    case Metric::dram_peak_bytes_per_s:
    case Metric::on_chip_bytes:
    case Metric::accelerators:
    case Metric::area:
    case Metric::peak_power_w:
      return Sense::exact;  // of the machine and the trace alone
    case Metric::average_power_w:
      break;  // less energy over less time
  }
  return Sense::unknown;
}

bool is_bounded(Metric metric, bool is_maximized) {
  const Sense sense = sense_of(metric, Fidelity::roofline);
  return sense == Sense::exact || sense == (is_maximized ? Sense::at_most : Sense::at_least);
}

Span Span::unknown(std::size_t objectives) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return {Goals(objectives, -kInfinity), Goals(objectives, kInfinity)};
}

void Span::narrow(const Plan& plan, const Metrics& metrics, Fidelity fidelity) {
  for (std::size_t i = 0; i < plan.objectives.size(); ++i) {
    const Objective& objective = plan.objectives[i];
    const double number = metrics[objective.metric];
    if (std::isnan(number)) continue;
    const Sense sense = sense_of(objective.metric, fidelity);
    const double goal = objective.is_maximized ? -number : number;
    const bool is_low = sense == Sense::exact || sense == (objective.is_maximized ? Sense::at_most : Sense::at_least);
    const bool is_high = sense == Sense::exact || sense == (objective.is_maximized ? Sense::at_least : Sense::at_most);
    if (is_low) low[i] = std::max(low[i], goal);
    if (is_high) high[i] = std::min(high[i], goal);
  }
}

bool is_broken_for_sure(const Plan& plan, const Constraint& constraint, const std::vector<double>& numbers,
                        Fidelity fidelity) {
  if (constraint.condition(numbers) != 0.0) return false;
  const std::size_t columns = plan.columns().size();
  bool is_exact = true;
  for (const auto use : constraint.condition.uses()) {
    if (std::isnan(numbers[use])) return false;
    if (use < columns) continue;
    is_exact = is_exact && sense_of(all_metrics()[(use - columns) % kMetrics].metric, fidelity) == Sense::exact;
  }
  if (is_exact) return true;
  const auto limit = limit_of(constraint);
  return limit && sense_of(limit->metric, fidelity) == (limit->is_above ? Sense::at_most : Sense::at_least);
}

}  // namespace archsim
