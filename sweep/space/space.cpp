#include "sweep/space/space.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sweep/plan/axes/axis_values.h"

namespace archsim {
namespace {

std::string path_text(const std::vector<YamlNode>& path) {
  std::string text;
  for (const auto& name : path) text += (text.empty() ? "" : ".") + name.scalar();
  return text;
}

bool is_met(const Expression& condition, const std::vector<double>& numbers) {
  const double value = condition(numbers);
  return value != 0.0 && !std::isnan(value);
}

}  // namespace

std::string Variant::text() const {
  std::string all;
  for (const auto& assignment : soc) all += path_text(assignment.path) + "=" + show_value(assignment.value) + "\n";
  for (const auto& setting : workload) all += "workload." + setting + "\n";
  return all + "recipe=" + recipe + "\n";
}

Space::Space(const Plan& plan) : plan_(plan), names_(plan.names().size()) {
  std::ptrdiff_t first = 0;
  for (const auto& axis : plan.axes) {
    first_.push_back(first);
    first += static_cast<std::ptrdiff_t>(axis.columns.size());
  }
}

double Space::size() const {
  double size = 1.0;
  for (const auto& axis : plan_.axes) size *= axis.is_free() ? static_cast<double>(axis.values.size()) : 1.0;
  return size;
}

Point Space::at(std::uint64_t index) const {
  Point point(plan_.axes.size(), kNoValue);
  for (std::size_t i = plan_.axes.size(); i-- > 0;) {
    const Axis& axis = plan_.axes[i];
    if (!axis.is_free()) continue;
    point[i] = static_cast<std::uint32_t>(index % axis.values.size());
    index /= axis.values.size();
  }
  return point;
}

/// Fills in the columns of axis `index` for a value of it; columns without a value stay as they are.
void Space::set_numbers(std::size_t index, std::uint32_t value, std::vector<double>& numbers) const {
  const Axis& axis = plan_.axes[index];
  if (axis.is_free()) {
    std::copy(axis.values[value].numbers.begin(), axis.values[value].numbers.end(), numbers.begin() + first_[index]);
  } else {
    const double number = number_of_value(formula_text(axis, numbers));
    std::fill_n(numbers.begin() + first_[index], axis.columns.size(), number);
  }
}

std::optional<Point> Space::settled(Point point) const {
  std::vector<double> numbers(names_, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < plan_.axes.size(); ++i) {
    const Axis& axis = plan_.axes[i];
    if (axis.when && !is_met(*axis.when, numbers)) {
      point[i] = kNoValue;
    } else {
      set_numbers(i, point[i], numbers);
    }
  }
  for (const auto& constraint : plan_.constraints) {
    // A condition on an axis without value is met.
    if (!constraint.is_of_axes) continue;
    bool has_all = true;
    for (const auto use : constraint.condition.uses()) has_all = has_all && !std::isnan(numbers[use]);
    if (has_all && constraint.condition(numbers) == 0.0) return {};
  }
  return point;
}

bool Space::is_first(const Point& point, const Point& settled) {
  for (std::size_t i = 0; i < point.size(); ++i) {
    if (point[i] != settled[i] && point[i] != 0) return false;
  }
  return true;
}

std::vector<double> Space::numbers(const Point& settled) const {
  std::vector<double> numbers(names_, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < plan_.axes.size(); ++i) {
    const Axis& axis = plan_.axes[i];
    const bool has_value = axis.is_free() ? settled[i] != kNoValue : !axis.when || is_met(*axis.when, numbers);
    if (has_value) set_numbers(i, settled[i], numbers);
  }
  return numbers;
}

std::string Space::formula_text(const Axis& axis, const std::vector<double>& numbers) const {
  const double value = (*axis.follows)(numbers);
  const double rounded = std::round(value);
  const bool is_whole = std::abs(value - rounded) <= 1e-9 * std::max(1.0, std::abs(value));
  const std::string digits = is_whole ? fmt::format("{:.0f}", rounded) : fmt::format("{:.9g}", value);
  return axis.unit.empty() ? digits : digits + " " + axis.unit;
}

std::vector<std::optional<std::string>> Space::texts(const Point& settled) const {
  const auto all = numbers(settled);
  std::vector<std::optional<std::string>> texts;
  for (std::size_t i = 0; i < plan_.axes.size(); ++i) {
    const Axis& axis = plan_.axes[i];
    for (std::size_t p = 0; p < axis.columns.size(); ++p) {
      if (std::isnan(all[static_cast<std::size_t>(first_[i]) + p])) {
        texts.emplace_back();
      } else {
        texts.emplace_back(axis.is_free() ? axis.values[settled[i]].texts[p] : formula_text(axis, all));
      }
    }
  }
  return texts;
}

void Space::set(const Axis& axis, const std::vector<YamlNode>& nodes, Variant& variant) {
  for (std::size_t p = 0; p < axis.paths.size(); ++p) {
    if (axis.kind == AxisKind::soc) variant.soc.push_back({axis.paths[p], nodes[p]});
    if (axis.kind == AxisKind::workload)
      variant.workload.push_back(axis.paths[p][0].scalar() + "=" + show_value(nodes[p]));
    if (axis.kind == AxisKind::recipe) variant.recipe = nodes[p].scalar();
  }
}

Variant Space::variant(const Point& settled) const {
  Variant variant{plan_.settings, {}, {}};
  const auto all = numbers(settled);
  for (std::size_t i = 0; i < plan_.axes.size(); ++i) {
    const Axis& axis = plan_.axes[i];
    if (std::isnan(all[static_cast<std::size_t>(first_[i])])) continue;
    if (axis.is_free()) {
      set(axis, axis.values[settled[i]].nodes, variant);
    } else {
      set(axis, std::vector<YamlNode>(axis.paths.size(), YamlNode::make_scalar(axis.place, formula_text(axis, all))),
          variant);
    }
  }
  return variant;
}

}  // namespace archsim
