// The front of a sweep's results.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sweep/analyse/front.h"
#include "sweep/store/results.h"

namespace archsim {

struct Pareto {
  std::vector<ResultObjective> objectives;
  std::vector<std::size_t> columns;  // of Results::metrics
  std::vector<std::size_t> rows;     // of the front, by the first objective
  std::optional<std::size_t> knee;   // into `rows`
  Goals reference;                   // the worst of all feasible points in each objective
  double hypervolume = 0.0;          // as a part of the box from the best of each objective to the reference
  std::size_t feasible = 0;
};

/// By `names` ("latency", "max:rate"); empty: the sweep's own objectives. Errors stand at `--objectives`.
Checked<Pareto> pareto(const Results& results, const std::string& names);

/// The goals of a row: maximized objectives with a minus.
Goals goals_of(const Pareto& pareto, const ResultRow& row);

}  // namespace archsim
