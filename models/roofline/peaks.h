// Models: what the machine's resources do at best: all arrays at their peak rate for an element type, all vector lanes,
//   the DRAM devices' peak, the host's own time for an operation; and the on-chip capacity that prefetch may fill.
// Leaves out: fill, drain and edge tiles, padding, refresh, latency, NoC, ports, launch: nothing here can be slower than
//   a legal mapping of the same work.
// Numbers: only those of the MachineView.
// Checked by: tests/models/roofline (closed forms, unequal accelerators, monotonicity).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "arch/machine/capabilities.h"
#include "arch/workload/trace.h"

namespace archsim {

/// One instance of an operator, alone, each resource at its peak.
struct OperatorPeak {
  bool by_host = false;    // no accelerator can do it, so every mapping runs it on the host
  double compute_s = 0.0;  // useful MACs on all arrays
  double vector_s = 0.0;   // on all vector lanes, what no array, store or DMA can take over
  double dram_s = 0.0;     // weights, constants, inputs and KV caches once
  double host_s = 0.0;     // only if by_host
  std::uint64_t macs = 0;  // masked scores left out
  std::uint64_t dram_bytes = 0;

  double longest_s() const;
  /// compute, vector, dram or cpu: the roof that the operator hits.
  std::string_view roof() const;
};

/// One for each operator of a valid trace.
std::vector<OperatorPeak> operator_peaks(const Trace& trace, const MachineView& machine);

/// The element type that decides the arrays' rate for an operator: of the inputs that the machine multiplies, the slowest one; nothing if it
/// multiplies none.
std::optional<Dtype> rate_dtype(const Trace& trace, const MachineView& machine, const Operator& op);

/// Everything on chip that can hold a weight or an activation: scratchpads, accumulators, l2, and the two weights that
/// each processing element holds.
Bytes prefetch_capacity(const MachineView& machine);

}  // namespace archsim
