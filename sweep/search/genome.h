// A point as a search varies it: an axis whose values ascend or descend is a number along them, so that neighbours are near each
// other; any other one is a whole number without order. Axes that follow others and axes of one value are not varied.
#pragma once

#include <vector>

#include "sweep/space/space.h"

namespace archsim {

class Genome {
 public:
  /// The plan must outlive it.
  explicit Genome(const Plan& plan);

  std::size_t size() const { return axes_.size(); }
  /// How many of the last variables are whole numbers.
  std::size_t whole() const { return axes_.size() - ordered_; }
  /// Of each variable, both included.
  std::vector<double> low() const;
  std::vector<double> high() const;

  /// Not settled yet.
  Point point(const double* variables) const;

 private:
  std::size_t values(std::size_t variable) const { return plan_.axes[axes_[variable]].values.size(); }

  const Plan& plan_;
  std::vector<std::size_t> axes_;  // ordered ones first
  std::size_t ordered_ = 0;
};

}  // namespace archsim
