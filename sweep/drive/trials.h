// Points tried at a fidelity: what searches need of whoever runs them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sweep/run/evaluator.h"

namespace archsim {

/// A point and the number of its row.
struct Asked {
  std::uint64_t id = 0;
  Point point;
};

class Trials {
 public:
  virtual ~Trials() = default;
  /// The results at `fidelity`, in the order of `points`; what has a row is read. Below the plan's own fidelity rows are marked
  /// `bounded`, constraints are not looked at, and a later result takes the row's place. Nothing if the sweep is interrupted.
  virtual std::optional<std::vector<PointResult>> results_of(const std::vector<Asked>& points, Fidelity fidelity) = 0;
  /// Whether the point has a result at `fidelity` already.
  virtual bool has_result(const Point& point, Fidelity fidelity) = 0;
  /// In place of the point's row: what its numbers of `fidelity` say about it.
  virtual void settle(const Asked& asked, const PointResult& result, Fidelity fidelity) = 0;
  /// How many evaluations there will be in all, as far as is known.
  virtual void expect(std::uint64_t evaluations) = 0;
};

}  // namespace archsim
