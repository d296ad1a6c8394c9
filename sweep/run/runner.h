// A plan carried out on this machine: every point of its strategy has a row in the store in the end.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sweep/space/space.h"

namespace archsim {

struct SweepCounts {
  std::uint64_t total = 0;                                      // an estimate until all are listed
  std::uint64_t run = 0, kept = 0, failed = 0, infeasible = 0;  // kept: there were results before
  std::uint64_t bounded = 0;                                    // of a refined sweep: not simulated
  double seconds = 0.0;
  bool is_interrupted = false;
};

struct SweepOptions {
  std::string folder, version;
  unsigned jobs = 1;
  std::function<bool()> is_interrupted = [] { return false; };
  std::function<void(const SweepCounts&)> on_progress = [](const SweepCounts&) {};
};

/// Throws std::runtime_error if the folder cannot be written.
SweepCounts run_sweep(const Plan& plan, const SweepOptions& options);

/// The first points that the plan tries, `most` at most; of a search only its first generation is known.
std::vector<Point> first_points(const Space& space, std::size_t most);

/// Seconds that one point takes on one core, measured on the plan's first points.
double seconds_a_point(const Plan& plan);

}  // namespace archsim
