// How much of a metric each axis of a sweep decides, from pairs of its points that differ in that axis alone.
//
// Axes are taken as independent and each of their values as equally likely. So what is estimated is the variance of the metric over the grid, whether all of
// the grid was run or a part of it.
#pragma once

#include <string>
#include <vector>

#include "sweep/store/results.h"

namespace archsim {

struct AxisEffect {
  std::string axis;  // linked columns with commas between
  std::size_t values = 0, pairs = 0;
  /// Total-effect index: the part of the variance that would be left if all other axes were known. Jansen 1999, "Analysis of variance
  /// designs for model output", for axes of few values: the mean over groups of points that differ in this axis alone of their
  /// variance, unbiased for values drawn without repetition, over the variance of all. On a whole grid it is exact. NaN without groups.
  double total = 0.0;
  /// First-order index: the part of the variance that goes if the axis is known, Var(E[Y|X]) / Var(Y) (Sobol 1993). Of whole grids,
  /// where it is exact; NaN otherwise.
  double first = 0.0;
  /// Elementary effects: change of the metric from an axis' one end to its other, by pairs of neighbouring values scaled to 0..1 by their place
  /// (Morris 1991, "Factorial sampling plans"); mean, mean of their sizes (Campolongo 2007) and standard deviation.
  double mean = 0.0, mean_size = 0.0, deviation = 0.0;
};

struct Sensitivity {
  std::string metric;
  bool is_whole_grid = false;
  std::size_t points = 0;
  double mean = 0.0, deviation = 0.0;  // of the metric
  std::vector<AxisEffect> effects;     // by total effect, the largest first
};

/// Of the points that have a value, broken constraints or not; rows at more than one fidelity must not be mixed. `column` is one of
/// Results::metrics.
Sensitivity sensitivity(const Results& results, std::size_t column);

}  // namespace archsim
