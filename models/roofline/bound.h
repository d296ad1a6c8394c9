// Models: the time before which no legal mapping of a trace can end each operator, each stage and the whole: critical path,
//   each resource at its peak, compulsory DRAM bytes, prefetch limited by on-chip capacity.
// Leaves out: everything that a perfect mapping could hide: fill and drain, latency, refresh, NoC, launch; bytes written.
// Numbers: the trace's shapes and the MachineView's peaks; never the mapping. Proof: docs/decisions/0006-the-bound.md.
// Checked by: tests/models/roofline (closed forms, monotonicity), tests/properties (no run beats it).
#pragma once

#include <cstdint>
#include <vector>

#include "arch/machine/capabilities.h"
#include "arch/workload/trace.h"

namespace archsim {

struct OperatorBound {
  std::uint32_t operator_index = 0;
  std::uint64_t iteration = 0;  // as in OperatorRun
  Time end = Time::zero();      // no run ends this instance earlier
};

struct Bound {
  Time time = Time::zero();  // of the whole
  std::vector<Time> stages;  // end of each stage, in trace order
  // Bytes that have crossed the DRAM's pins by then at least; those of the last stage are of the whole.
  std::vector<std::uint64_t> dram_bytes;
  std::vector<OperatorBound> operators;  // by (operator, iteration), every executed instance
};

/// Needs a valid trace. Milliseconds for thousands of instances; linear in their number.
Bound bound(const Trace& trace, const MachineView& machine);

}  // namespace archsim
