#include "app/report/sweep_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <thread>

#include "app/commands/sweep/progress.h"
#include "sweep/sample/source.h"

namespace archsim {
namespace {

constexpr std::size_t kFirstPoints = 8;
constexpr std::size_t kValuesShown = 6;

std::string number_text(double value) { return std::isnan(value) ? "" : fmt::format("{:.6g}", value); }

/// Linked paths with one value for all show it once.
std::string value_text(const AxisValue& value) {
  std::string text;
  for (const auto& each : value.texts) {
    if (each != value.texts[0] || text.empty()) text += (text.empty() ? "" : "/") + each;
  }
  return text;
}

std::string values_text(const Axis& axis) {
  if (!axis.is_free()) return "by formula";
  std::string text;
  for (std::size_t i = 0; i < axis.values.size(); ++i) {
    if (axis.values.size() > kValuesShown && i == kValuesShown - 1) {
      return text + ", ... " + value_text(axis.values.back());
    }
    text += (text.empty() ? "" : ", ") + value_text(axis.values[i]);
  }
  return text;
}

TextTable axes_table(const Plan& plan) {
  TextTable table{"axes", {"<axis", "values", "<these"}, {}};
  for (const auto& axis : plan.axes) {
    table.rows.push_back({axis.name, fmt::to_string(axis.is_free() ? axis.values.size() : 1), values_text(axis)});
  }
  return table;
}

TextTable first_points_table(const Space& space) {
  TextTable table{"the first points", {}, {}};
  table.header = space.plan().columns();
  for (const auto& point : first_points(space, kFirstPoints)) {
    std::vector<std::string> cells;
    for (const auto& text : space.texts(point)) cells.push_back(text.value_or("-"));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace

std::vector<TextTable> plan_tables(const Plan& plan) {
  const Space space(plan);
  const auto count = count_points(space);
  const double each_s = seconds_a_point(plan);
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  std::string objectives;
  for (const auto& each : plan.objectives) {
    objectives += (objectives.empty() ? "" : ", ") + std::string(each.is_maximized ? "max " : "min ") + each.column;
  }
  TextTable top{plan.name + ": a dry run", {"<", "<"}, {}};
  top.rows = {{"points", fmt::format("{}{:.0f} by strategy {}", count.is_exact ? "" : "at most ", count.points,
                                     name_of(plan.strategy.kind))},
              {"fidelity", plan.fidelity_name()},
              {"objectives", objectives},
              {"time", fmt::format("{} {} on {} cores, {:.3g} ms a point on one", plan.is_refined ? "at most" : "about",
                                   duration_text(count.points * each_s / cores), cores, each_s * 1e3)}};
  return {std::move(top), axes_table(plan), first_points_table(space)};
}

TextTable sweep_summary(const Plan& plan, const SweepCounts& counts, const std::string& folder) {
  TextTable table{plan.name + " at fidelity " + plan.fidelity_name(), {"<", "<"}, {}};
  const double rate = counts.seconds > 0.0 ? static_cast<double>(counts.run) / counts.seconds : 0.0;
  table.rows = {{"points", fmt::format("{} run, {} kept from before", counts.run, counts.kept)},
                {"of them", fmt::format("{} break a constraint, {} failed", counts.infeasible, counts.failed)},
                {"time", fmt::format("{}, {:.0f} points a minute", duration_text(counts.seconds), rate * 60.0)},
                {"results", folder + "/sweep.sqlite"}};
  if (plan.is_refined) {
    table.rows.insert(table.rows.begin() + 2,
                      {"left out", fmt::format("{} whose bounds a simulated point beats", counts.bounded)});
  }
  return table;
}

std::vector<std::size_t> best_first(const Results& results) {
  std::vector<std::size_t> order(results.rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto rank = [&](std::size_t i) {
    const ResultRow& row = results.rows[i];
    return row.status == "done" ? 0 : row.status == "infeasible" ? 1 : row.status == "bounded" ? 2 : 3;
  };
  const auto column = results.objectives.empty() ? std::nullopt : results.metric(results.objectives[0].column);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (rank(a) != rank(b) || !column) return rank(a) < rank(b);
    const double x = results.rows[a].metrics[*column], y = results.rows[b].metrics[*column];
    return results.objectives[0].is_maximized ? x > y : x < y;
  });
  return order;
}

TextTable points_table(const Results& results, const std::vector<std::size_t>& order, const std::string& title) {
  TextTable table{title, {"id"}, {}};
  table.header.insert(table.header.end(), results.axes.begin(), results.axes.end());
  table.header.insert(table.header.end(), results.metrics.begin(), results.metrics.end());
  table.header.insert(table.header.end(), {"<status", "<error"});
  for (const auto i : order) {
    const ResultRow& row = results.rows[i];
    std::vector<std::string> cells{fmt::to_string(row.id)};
    for (const auto& text : row.axes) cells.push_back(text.empty() ? "-" : text);
    for (const double value : row.metrics) cells.push_back(number_text(value));
    cells.push_back(row.status);
    cells.push_back(row.error);
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string as_csv(const TextTable& table) {
  std::vector<std::string> header;
  for (const auto& name : table.header) header.push_back(name.starts_with('<') ? name.substr(1) : name);
  std::string text = csv_line(header);
  for (const auto& row : table.rows) text += csv_line(row);
  return text;
}

std::vector<TextTable> best_tables(const std::string& folder) {
  const auto results = read_results(folder);
  if (!results) return {};
  std::vector<std::size_t> best;
  for (const auto& objective : results->objectives) {
    Results by = *results;
    by.objectives = {objective};
    const auto order = best_first(by);
    if (!order.empty() && by.rows[order[0]].status == "done") best.push_back(order[0]);
  }
  if (best.empty()) return {};
  std::string names;
  for (const auto& objective : results->objectives) names += (names.empty() ? "" : ", ") + objective.column;
  return {points_table(*results, best, "best by " + names)};
}

}  // namespace archsim
