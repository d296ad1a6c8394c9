#include "app/pictures/sweep/page.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "app/pictures/page/page.h"
#include "sweep/terms/metrics.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

/// The rows shown, feasible ones alone: the front first.
std::vector<std::size_t> shown(const Results& results, const Pareto& front, const std::vector<std::size_t>& order) {
  std::vector<std::size_t> rows = front.rows;
  const std::set<std::size_t> on_front(rows.begin(), rows.end());
  for (const auto row : order) {
    if (rows.size() >= kMostLines) break;
    if (results.rows[row].status == "done" && !on_front.contains(row)) rows.push_back(row);
  }
  return rows;
}

std::vector<std::string> texts_of(const Results& results, const std::vector<std::size_t>& rows, std::size_t axis) {
  std::vector<std::string> texts;
  texts.reserve(rows.size());
  for (const auto row : rows) texts.push_back(results.rows[row].axes[axis]);
  return texts;
}

}  // namespace

Json sweep_data(const Results& results, const Pareto& front, const std::vector<std::size_t>& order) {
  const auto rows = shown(results, front, order);
  Json axes = Json::array(), metrics = Json::array(), points = Json::array();
  for (std::size_t a = 0; a < results.axes.size(); ++a) {
    axes.push_back({{"name", results.axes[a]}, {"values", values_in_order(texts_of(results, rows, a))}});
  }
  for (const auto& column : results.metrics) {
    const auto metric = metric_from(column);
    metrics.push_back({{"name", column}, {"unit", metric ? info_of(*metric).unit : ""}});
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ResultRow& row = results.rows[rows[i]];
    points.push_back({{"id", row.id}, {"front", i < front.rows.size()}, {"axes", row.axes}, {"metrics", row.metrics}});
  }
  Json objectives = Json::array();
  for (const auto& each : front.objectives) objectives.push_back({{"name", each.column}, {"max", each.is_maximized}});
  Json data{{"axes", axes}, {"metrics", metrics}, {"objectives", objectives}, {"points", points}};
  if (front.knee) data["knee"] = results.rows[front.rows[*front.knee]].id;
  return data;
}

Checked<std::string> sweep_page(const Results& results, const Pareto& front, const std::vector<std::size_t>& order) {
  const auto lines = shown(results, front, order).size();
  std::string body =
      "<main>\n<h1>" + escaped(results.name) + "</h1>\n<p class=\"lead\">" +
      escaped(fmt::format("{} of {} feasible points are on the front, at fidelity {}.", front.rows.size(),
                          front.feasible, results.fidelity)) +
      "</p>\n<div id=\"parallel\" class=\"chart tall\" role=\"img\" aria-label=\"Parallel coordinates\"></div>\n";
  body +=
      "<p class=\"note\">A line is a point; the front is dark. Drag along an axis to keep the points that pass there, "
      "click it to let all back in." +
      (lines < front.feasible ? escaped(fmt::format(" {} lines are shown: the front and the best by {}.", lines,
                                                    front.objectives.front().column))
                              : std::string()) +
      "</p>\n<p id=\"kept\" class=\"note\" aria-live=\"polite\"></p>\n<div id=\"points\"></div>\n</main>";
  return html_page({.title = "Sweep: " + results.name, .body = body, .scripts = {"page.js", "sweep.js"}},
                   {{"sweep", sweep_data(results, front, order)}});
}

}  // namespace archsim
