// The points of a sweep as a page of parallel coordinates: an axis a param and a metric, a line a point.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "arch/describe/diagnostic.h"
#include "sweep/analyse/pareto.h"

namespace archsim {

/// Beyond so many lines a page is slow to look at: the front and the best by the first objective are shown.
constexpr std::size_t kMostLines = 3000;

/// Data of app/web/sweep.js. `order`: rows of `results`, the best first.
nlohmann::ordered_json sweep_data(const Results& results, const Pareto& front, const std::vector<std::size_t>& order);

/// Self-contained HTML.
Checked<std::string> sweep_page(const Results& results, const Pareto& front, const std::vector<std::size_t>& order);

}  // namespace archsim
