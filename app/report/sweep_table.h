// A sweep for people: what it will do, what it did, and its points.
#pragma once

#include <string>
#include <vector>

#include "app/report/text_table.h"
#include "sweep/plan/plan.h"
#include "sweep/run/runner.h"
#include "sweep/store/results.h"

namespace archsim {

/// Of `--dry-run`: axes, number of points, an estimate of time, the first points.
std::vector<TextTable> plan_tables(const Plan& plan);

TextTable sweep_summary(const Plan& plan, const SweepCounts& counts, const std::string& folder);

/// The best feasible point by each objective.
std::vector<TextTable> best_tables(const std::string& folder);

/// The rows at `order`, all columns; axes as written, metrics in their units.
TextTable points_table(const Results& results, const std::vector<std::size_t>& order, const std::string& title);

/// With a header, for other programs.
std::string as_csv(const TextTable& table);

/// Rows by the first objective, best first; failed ones last.
std::vector<std::size_t> best_first(const Results& results);

}  // namespace archsim
