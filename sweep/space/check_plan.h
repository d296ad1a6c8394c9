// What can be known to be wrong with a plan before anything of it runs.
#pragma once

#include "sweep/plan/plan.h"

namespace archsim {

/// A grid is listed point by point.
constexpr double kMostPoints = 10e6;

/// Values that no machine or workload can have, constraints that no point can meet, more points than anybody runs.
void check_plan(const Plan& plan, Diagnostics& out);

}  // namespace archsim
