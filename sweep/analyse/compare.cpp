#include "sweep/analyse/compare.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace archsim {
namespace {

using Rows = std::map<std::vector<std::string>, const ResultRow*>;

Rows rows_by(const Results& results, const std::vector<std::string>& axes) {
  std::vector<std::size_t> columns;
  for (const auto& axis : axes) {
    columns.push_back(
        static_cast<std::size_t>(std::find(results.axes.begin(), results.axes.end(), axis) - results.axes.begin()));
  }
  Rows rows;
  for (const auto& row : results.rows) {
    if (row.status == "failed") continue;
    std::vector<std::string> key;
    for (const auto column : columns) key.push_back(row.axes[column]);
    rows.emplace(std::move(key), &row);
  }
  return rows;
}

void add(SweepDifference& difference, double before, double after) {
  if (std::isnan(before) || std::isnan(after) || before == 0.0) return;
  const double change = after / before - 1.0;
  difference.least = difference.common == 0 ? change : std::min(difference.least, change);
  difference.most = difference.common == 0 ? change : std::max(difference.most, change);
  ++difference.common;
  difference.mean += (change - difference.mean) / static_cast<double>(difference.common);
}

}  // namespace

SweepComparison compare(const Results& older, const Results& newer) {
  std::vector<std::string> axes;
  for (const auto& axis : older.axes) {
    if (std::find(newer.axes.begin(), newer.axes.end(), axis) != newer.axes.end()) axes.push_back(axis);
  }
  const Rows before = rows_by(older, axes), after = rows_by(newer, axes);
  SweepComparison comparison;
  for (const auto& column : newer.metrics) {
    if (older.metric(column)) comparison.metrics.push_back({.metric = column});
  }
  for (const auto& [key, row] : before) {
    const auto found = after.find(key);
    if (found == after.end()) {
      ++comparison.only_old;
      continue;
    }
    for (auto& difference : comparison.metrics) {
      add(difference, row->metrics[*older.metric(difference.metric)],
          found->second->metrics[*newer.metric(difference.metric)]);
    }
  }
  for (const auto& each : after) comparison.only_new += before.contains(each.first) ? 0 : 1;
  return comparison;
}

}  // namespace archsim
