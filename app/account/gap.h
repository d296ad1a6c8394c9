// The gap account: what stands between a run's time and the bound, in named shares.
//
// Each stage is told by its critical engine, the one that worked or moved data longest. An engine's time has no holes, so
// the stage's time is its busy time and its waits; less the stage's bound, what remains is the gap, share by share.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "arch/machine/capabilities.h"
#include "arch/machine/run_result.h"
#include "arch/workload/trace.h"
#include "models/roofline/bound.h"

namespace archsim {

struct StageGap {
  double time_s = 0.0;                                 // from the end of the stage before to this one's
  double bound_s = 0.0;                                // growth of the bound
  std::string engine;                                  // array, vector, load, store or host
  std::vector<std::pair<std::string, double>> shares;  // seconds, longest first; what is in no share is unaccounted

  double gap_s() const { return time_s - bound_s; }
  double unaccounted_s() const;
};

struct GapAccount {
  std::vector<StageGap> stages;                        // in trace order
  std::vector<std::pair<std::string, double>> shares;  // of all stages, longest first
  double gap_s = 0.0;
  double accounted = 1.0;  // part of the gap that has a name: 1 - |unaccounted| / gap
};

/// `ends`: when each stage of the run ended. Needs the run of a valid trace, without a fault.
GapAccount gap_account(const Trace& trace, const MachineView& machine, const Bound& bound, const RunResult& result,
                       const std::vector<Time>& ends);

}  // namespace archsim
