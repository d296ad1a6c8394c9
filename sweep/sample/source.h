// In which order points are tried.
#pragma once

#include <memory>
#include <optional>

#include "sweep/space/space.h"

namespace archsim {

class PointSource {
 public:
  virtual ~PointSource() = default;
  /// Settled points; some may come twice.
  virtual std::optional<Point> next() = 0;
};

/// By the plan's strategy, which must not be a search.
std::unique_ptr<PointSource> make_source(const Space& space);

/// How many points the plan has, if they are few enough to be counted; the least that is known otherwise.
struct PointCount {
  double points = 0.0;
  bool is_exact = true;
};
PointCount count_points(const Space& space);

}  // namespace archsim
