#include "sweep/analyse/pareto.h"

#include <algorithm>
#include <limits>

#include "arch/describe/near_name.h"

namespace archsim {
namespace {

std::vector<ResultObjective> chosen(const Results& results, const std::string& names, Diagnostics& out) {
  if (names.empty()) return results.objectives;
  std::vector<ResultObjective> objectives;
  const Source source = make_source("--objectives", names);
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    const std::string text = names.substr(begin, end - begin);
    const auto colon = text.find(':');
    const std::string direction = colon == std::string::npos ? "" : text.substr(0, colon);
    std::string name = colon == std::string::npos ? text : text.substr(colon + 1);
    name.erase(0, std::min(name.find_first_not_of(' '), name.size()));
    const Location place{source, 1, static_cast<unsigned>(begin) + 1};
    if (direction != "" && direction != "min" && direction != "max") {
      out.error(place, "`" + direction + "` is no direction", "`min:` or `max:`");
    } else if (!results.metric(name)) {
      out.error(place, "the results have no objective `" + name + "`", help_for_unknown(name, results.metrics));
    } else {
      bool is_maximized = direction == "max";
      for (const auto& own : results.objectives) {
        if (direction.empty() && own.column == name) is_maximized = own.is_maximized;
      }
      objectives.push_back({name, is_maximized});
    }
    begin = end + 1;
  }
  return objectives;
}

}  // namespace

Goals goals_of(const Pareto& pareto, const ResultRow& row) {
  Goals goals;
  for (std::size_t i = 0; i < pareto.columns.size(); ++i) {
    goals.push_back((pareto.objectives[i].is_maximized ? -1.0 : 1.0) * row.metrics[pareto.columns[i]]);
  }
  return goals;
}

Checked<Pareto> pareto(const Results& results, const std::string& names) {
  Diagnostics out;
  Pareto found;
  found.objectives = chosen(results, names, out);
  if (out.has_errors()) return out;
  for (const auto& objective : found.objectives) found.columns.push_back(*results.metric(objective.column));
  std::vector<Goals> points;
  std::vector<std::size_t> rows;
  const std::size_t dimensions = found.objectives.size();
  Goals best(dimensions, std::numeric_limits<double>::infinity());
  found.reference.assign(dimensions, -std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < results.rows.size(); ++i) {
    if (results.rows[i].status != "done") continue;
    points.push_back(goals_of(found, results.rows[i]));
    rows.push_back(i);
    for (std::size_t d = 0; d < dimensions; ++d) {
      best[d] = std::min(best[d], points.back()[d]);
      found.reference[d] = std::max(found.reference[d], points.back()[d]);
    }
  }
  found.feasible = rows.size();
  std::vector<Goals> front;
  for (const auto i : front_of(points)) {
    found.rows.push_back(rows[i]);
    front.push_back(points[i]);
  }
  found.knee = knee_of(front);
  double box = 1.0;
  for (std::size_t d = 0; d < dimensions; ++d) box *= found.reference[d] - best[d];
  if (box > 0.0 && !front.empty()) found.hypervolume = hypervolume(front, found.reference) / box;
  return found;
}

}  // namespace archsim
