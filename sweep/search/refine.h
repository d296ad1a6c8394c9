// Successive refinement: every point by its bounds, and a simulation for those only that no simulated point beats.
#pragma once

#include <vector>

#include "sweep/drive/trials.h"
#include "sweep/sample/source.h"

namespace archsim {

/// From the cheapest to the one whose numbers are wanted.
std::vector<Fidelity> ladder();

struct Refined {
  std::uint64_t points = 0;
  std::uint64_t simulated = 0;  // had a result of the last rung
  std::uint64_t bounded =
      0;  // left out: a simulated point is at least as good as their bounds in everything, and better in one
  std::uint64_t infeasible = 0;  // left out: no simulation can meet a constraint
};

/// Climbs the ladder. In each round those points go up a rung whose bounds no other open point's bounds beat; then those are left
/// out that a feasible simulated point beats even at their best. So the front of what was simulated is the front of all points, and no point was
/// simulated that could have been left out: whoever beats its bounds would have had bounds that beat them too, and gone first.
/// Nothing if the sweep is interrupted.
std::optional<Refined> refine(const Space& space, PointSource& source, Trials& trials);

}  // namespace archsim
