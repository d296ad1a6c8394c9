#include "sweep/search/genome.h"

#include <algorithm>

namespace archsim {
namespace {

bool is_ordered(const Axis& axis) {
  std::vector<double> numbers;
  for (const auto& value : axis.values) {
    if (value.numbers[0] == number_of_text(value.texts[0])) return false;
    numbers.push_back(value.numbers[0]);
  }
  const auto not_above = [](double a, double b) { return !(a < b); };
  const auto not_below = [](double a, double b) { return !(a > b); };
  return std::adjacent_find(numbers.begin(), numbers.end(), not_above) == numbers.end() ||
         std::adjacent_find(numbers.begin(), numbers.end(), not_below) == numbers.end();
}

}  // namespace

Genome::Genome(const Plan& plan) : plan_(plan) {
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < plan.axes.size(); ++i) {
    if (plan.axes[i].values.size() < 2) continue;
    (is_ordered(plan.axes[i]) ? axes_ : others).push_back(i);
  }
  ordered_ = axes_.size();
  axes_.insert(axes_.end(), others.begin(), others.end());
}

std::vector<double> Genome::low() const { return std::vector<double>(size(), 0.0); }

/// Each value of an ordered axis has a stretch of length 1.
std::vector<double> Genome::high() const {
  std::vector<double> high;
  for (std::size_t i = 0; i < size(); ++i)
    high.push_back(static_cast<double>(i < ordered_ ? values(i) : values(i) - 1));
  return high;
}

Point Genome::point(const double* variables) const {
  Point point(plan_.axes.size(), kNoValue);
  for (std::size_t i = 0; i < plan_.axes.size(); ++i) {
    if (plan_.axes[i].is_free()) point[i] = 0;
  }
  for (std::size_t i = 0; i < size(); ++i) {
    point[axes_[i]] = static_cast<std::uint32_t>(std::min(static_cast<std::size_t>(variables[i]), values(i) - 1));
  }
  return point;
}

}  // namespace archsim
