// From a trace and a machine to the program that the machine runs. Pure and deterministic: no SystemC, no clock, no chance.
#pragma once

#include "arch/describe/diagnostic.h"
#include "arch/machine/capabilities.h"
#include "arch/program/program.h"
#include "arch/workload/trace.h"

namespace archsim {

struct MappingOptions {
  // Fusion passes, by the names that OperatorMapping::why reports.
  bool linear_activation = true;  // linear, then an elementwise function of its result
  bool linear_glu = true;         // gate and up product of one input, then glu
  bool linear_siblings = true;    // linears of one input, such as q, k and v: its rows are loaded once
  bool linear_residual = true;    // linear, then the sum with a tensor of the same shape
  bool attention_rope = true;     // rotary embedding of queries, and of a few new keys, then attention
  bool batch_repeats = true;      // iterations that do not need each other are done at once where that is quicker
  bool stage_caches = true;       // KV caches that a stage reads again and again are copied into l2 if they fit
};

/// The program of a valid trace (arch/workload/rules). Errors: an operator that nothing can run, a scratchpad or accumulator
/// too small for any tile (with the bytes needed and the operator), a memory too small, more address patterns than registers.
Checked<Program> map(const Trace& trace, const MachineView& machine, const MappingOptions& options = {});

}  // namespace archsim
