// NSGA-II over a plan's axes (Deb 2002; pagmo's): points are proposed by generations, each from the best of those before.
#pragma once

#include <functional>
#include <vector>

#include "sweep/run/evaluator.h"

namespace archsim {

/// One result a point, in their order. What it throws ends the search.
using EvaluateAll = std::function<std::vector<PointResult>(const std::vector<Point>&)>;

/// Asks for points, each once, until the generations of the plan's strategy are through; which ones depends on the plan and its seed
/// alone. A point that breaks constraints counts as worse than every one that breaks fewer, whatever its objectives.
void search_nsga2(const Space& space, const EvaluateAll& evaluate);

}  // namespace archsim
