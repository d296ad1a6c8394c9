#include "sweep/analyse/sensitivity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace archsim {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

struct Moments {
  double count = 0.0, mean = 0.0, squares = 0.0;  // squares: of the distances from the mean

  void add(double value) {
    count += 1.0;
    const double before = value - mean;
    mean += before / count;
    squares += before * (value - mean);
  }
  double variance() const { return count > 0.0 ? squares / count : 0.0; }
};

/// The points as places on the axes; an axis without value has a place of its own.
struct Places {
  std::vector<std::string> names;
  std::vector<std::size_t> sizes;                // by axis
  std::vector<std::vector<std::size_t>> places;  // by point, by axis
  std::vector<double> values;                    // by point
};

Places places_of(const Results& results, std::size_t column) {
  Places all;
  std::vector<const ResultRow*> rows;
  for (const auto& row : results.rows) {
    if (std::isnan(row.metrics[column])) continue;
    rows.push_back(&row);
    all.values.push_back(row.metrics[column]);
  }
  all.places.resize(rows.size());
  for (const auto& columns : results.free) {
    std::vector<std::string> texts(rows.size());
    for (const auto& name : columns) {
      const auto at =
          static_cast<std::size_t>(std::find(results.axes.begin(), results.axes.end(), name) - results.axes.begin());
      for (std::size_t i = 0; i < rows.size(); ++i) texts[i] += (texts[i].empty() ? "" : "\n") + rows[i]->axes[at];
    }
    const auto order = values_in_order(texts);
    if (order.size() < 2) continue;
    std::map<std::string, std::size_t> place;
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    for (std::size_t i = 0; i < rows.size(); ++i) all.places[i].push_back(place[texts[i]]);
    all.sizes.push_back(order.size());
    std::string name;
    for (const auto& each : columns) name += (name.empty() ? "" : ", ") + each;
    all.names.push_back(name);
  }
  return all;
}

/// By the places on all other axes: (place on this axis, value), ascending.
using Groups = std::map<std::vector<std::size_t>, std::vector<std::pair<std::size_t, double>>>;

Groups groups_along(const Places& all, std::size_t axis) {
  Groups groups;
  for (std::size_t i = 0; i < all.values.size(); ++i) {
    auto others = all.places[i];
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(axis));
    groups[std::move(others)].emplace_back(all.places[i][axis], all.values[i]);
  }
  for (auto& group : groups) std::sort(group.second.begin(), group.second.end());
  return groups;
}

double first_order(const Places& all, std::size_t axis, double variance) {
  std::vector<Moments> at(all.sizes[axis]);
  for (std::size_t i = 0; i < all.values.size(); ++i) at[all.places[i][axis]].add(all.values[i]);
  Moments means;
  for (const auto& each : at) means.add(each.mean);
  return variance > 0.0 ? means.variance() / variance : 0.0;
}

AxisEffect effect_of(const Places& all, std::size_t axis, double variance, bool is_whole) {
  AxisEffect effect;
  effect.axis = all.names[axis];
  effect.values = all.sizes[axis];
  const auto values = static_cast<double>(effect.values);
  Moments within, effects, sizes;
  for (const auto& [others, group] : groups_along(all, axis)) {
    if (group.size() < 2) continue;
    Moments moments;
    for (const auto& each : group) moments.add(each.second);
    // Of values drawn without repetition from a few: s^2 (n - 1) / n is the variance over all of them.
    within.add(moments.squares / (moments.count - 1.0) * (values - 1.0) / values);
    for (std::size_t i = 1; i < group.size(); ++i) {
      const double step = static_cast<double>(group[i].first - group[i - 1].first) / (values - 1.0);
      const double change = (group[i].second - group[i - 1].second) / step;
      effects.add(change);
      sizes.add(std::abs(change));
      ++effect.pairs;
    }
  }
  effect.total = effect.pairs == 0 ? kNone : variance > 0.0 ? within.mean / variance : 0.0;
  effect.first = is_whole ? first_order(all, axis, variance) : kNone;
  effect.mean = effect.pairs == 0 ? kNone : effects.mean;
  effect.mean_size = effect.pairs == 0 ? kNone : sizes.mean;
  effect.deviation = effect.pairs < 2 ? kNone : std::sqrt(effects.squares / (effects.count - 1.0));
  return effect;
}

}  // namespace

Sensitivity sensitivity(const Results& results, std::size_t column) {
  const Places all = places_of(results, column);
  Sensitivity found;
  found.metric = results.metrics[column];
  found.points = all.values.size();
  double cells = 1.0;
  for (const auto size : all.sizes) cells *= static_cast<double>(size);
  const std::set<std::vector<std::size_t>> different(all.places.begin(), all.places.end());
  found.is_whole_grid = static_cast<double>(different.size()) == cells && different.size() == all.places.size();
  Moments moments;
  for (const double value : all.values) moments.add(value);
  found.mean = moments.mean;
  // Of a part of the grid, without bias.
  const double variance =
      found.is_whole_grid || moments.count < 2.0 ? moments.variance() : moments.squares / (moments.count - 1.0);
  found.deviation = std::sqrt(variance);
  for (std::size_t axis = 0; axis < all.names.size(); ++axis) {
    found.effects.push_back(effect_of(all, axis, variance, found.is_whole_grid));
  }
  std::stable_sort(found.effects.begin(), found.effects.end(), [](const AxisEffect& a, const AxisEffect& b) {
    if (std::isnan(a.total) || std::isnan(b.total)) return !std::isnan(a.total) && std::isnan(b.total);
    return a.total > b.total;
  });
  return found;
}

}  // namespace archsim
