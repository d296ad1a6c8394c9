// What a point's numbers at a lower fidelity say about those of a simulation.
#pragma once

#include "sweep/analyse/front.h"
#include "sweep/plan/plan.h"

namespace archsim {

enum class Sense : std::uint8_t { unknown, exact, at_least, at_most };  // the true value is ... the number

/// Of a metric at `fidelity`; at `full` all are exact.
Sense sense_of(Metric metric, Fidelity fidelity);

/// Whether roofline tells how good the metric is at best.
bool is_bounded(Metric metric, bool is_maximized);

/// Where the true objectives of a point lie: nowhere below `low`, nowhere above `high`; infinite where nothing is known.
struct Span {
  Goals low, high;
  static Span unknown(std::size_t objectives);
  /// What is known when these numbers are, too.
  void narrow(const Plan& plan, const Metrics& metrics, Fidelity fidelity);
};

/// Whether the constraint is broken whatever a simulation says: by exact numbers, or because a metric's best is not enough.
/// `numbers` are those of Plan::names(), with the metrics of `fidelity`.
bool is_broken_for_sure(const Plan& plan, const Constraint& constraint, const std::vector<double>& numbers,
                        Fidelity fidelity);

}  // namespace archsim
