// Two sweeps beside each other: the points that both have, and their fronts.
#pragma once

#include "sweep/store/results.h"

namespace archsim {

struct SweepDifference {
  std::string metric;
  std::size_t common = 0;                      // points of equal axes with this metric in both
  double mean = 0.0, least = 0.0, most = 0.0;  // new / old - 1
};

struct SweepComparison {
  std::size_t only_old = 0, only_new = 0;
  std::vector<SweepDifference> metrics;
};

/// Points are the same if all axes that both sweeps have are.
SweepComparison compare(const Results& older, const Results& newer);

}  // namespace archsim
