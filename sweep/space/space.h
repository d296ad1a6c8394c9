// The points of a plan: which value each axis has, and what that sets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sweep/plan/plan.h"

namespace archsim {

/// By axis: which of its values; kNoValue where its condition is false, and for an axis that follows others.
using Point = std::vector<std::uint32_t>;
constexpr std::uint32_t kNoValue = 0xFFFFFFFF;

/// What a point is made of beyond the plan.
struct Variant {
  std::vector<Assignment> soc;        // the plan's settings first
  std::vector<std::string> workload;  // "steps=5"
  std::string recipe;                 // empty: the workload's own

  /// As one text: equal variants have equal texts.
  std::string text() const;
};

class Space {
 public:
  /// The plan must outlive it.
  explicit Space(const Plan& plan);

  const Plan& plan() const { return plan_; }
  /// Product of the numbers of values; conditions may leave fewer points.
  double size() const;
  /// Point `index` of the full grid, the last axis fastest.
  Point at(std::uint64_t index) const;
  /// The point as it is when conditions have been looked at: values of axes that have none are dropped. Nothing if a
  /// constraint of the axes alone is broken.
  std::optional<Point> settled(Point point) const;
  /// Whether settled() took away nothing but first values: each settled point is reached by one such point of the grid.
  static bool is_first(const Point& point, const Point& settled);

  /// Of Plan::names(), the metrics without values.
  std::vector<double> numbers(const Point& settled) const;
  /// By column; nothing where there is no value.
  std::vector<std::optional<std::string>> texts(const Point& settled) const;
  Variant variant(const Point& settled) const;
  /// What an axis sets by one value.
  static void set(const Axis& axis, const std::vector<YamlNode>& nodes, Variant& variant);

 private:
  void set_numbers(std::size_t index, std::uint32_t value, std::vector<double>& numbers) const;
  std::string formula_text(const Axis& axis, const std::vector<double>& numbers) const;

  const Plan& plan_;
  std::size_t names_;
  std::vector<std::ptrdiff_t> first_;  // column of each axis
};

}  // namespace archsim
