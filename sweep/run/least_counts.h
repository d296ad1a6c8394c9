// The events that no mapping of a trace avoids, as a run counts them: what a lower bound of its energy is priced from.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/machine/capabilities.h"
#include "arch/machine/run_result.h"
#include "arch/machine/soc_spec.h"
#include "arch/workload/trace.h"
#include "models/roofline/peaks.h"

namespace archsim {

struct LeastWork {
  const Trace& trace;
  const std::vector<Position>& where;      // by operator
  const std::vector<OperatorPeak>& peaks;  // by operator
  Time time;                               // the bound
  std::uint64_t dram_bytes = 0;            // compulsory
};

/// Multiplications of the arrays, in the slowest of their operands' formats, and DRAM bursts, all as reads; every other count is
/// zero. Leakage, clocks and standing power follow from the time.
RunResult least_counts(const SocSpec& spec, const MachineView& machine, const LeastWork& work);

}  // namespace archsim
