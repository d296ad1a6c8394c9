// One simulation in a process of its own, because the SystemC kernel is global and may be left in any state.
#pragma once

#include <string>

#include "arch/cost/tech.h"
#include "arch/machine/soc_spec.h"
#include "arch/workload/trace.h"

namespace archsim {

struct SimulatedRun {
  std::string error;  // empty if the run ended well
  Time time = Time::zero();
  std::uint64_t dram_bytes = 0;
  double energy_j = 0.0;  // 0 without a technology
};

struct SimulationJob {
  const SocSpec& spec;
  const MachineView& machine;
  const Trace& trace;
  std::uint64_t seed = 1;
  const Tech* tech = nullptr;  // none: no energy
  bool is_sampled = false;     // executes a few of repeated iterations
};

/// Maps and simulates; `error` says why the workload does not fit, how the machine is stuck, or how the process died.
SimulatedRun simulate_apart(const SimulationJob& job);

}  // namespace archsim
