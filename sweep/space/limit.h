// Constraints that hold one metric against a number: `latency <= 20 ms`.
#pragma once

#include <optional>

#include "sweep/plan/plan.h"

namespace archsim {

struct Limit {
  Metric metric = Metric::latency;
  bool is_above = false;  // the metric is to be above the number, not below
  double number = 0.0;
};

/// Nothing for a constraint of any other form.
std::optional<Limit> limit_of(const Constraint& constraint);

}  // namespace archsim
