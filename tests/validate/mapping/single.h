// Traces of one operator, and how long it takes on a machine: as the mapper predicts, and simulated.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "arch/workload/trace.h"

namespace archsim {

struct Gemm {
  std::uint64_t m = 1, n = 1, k = 1;
  Dtype dtype = Dtype::int8;
};
/// [m, k] x [k, n]: an input by a weight.
Trace gemm_trace(const Gemm& gemm);

struct Attention {
  std::uint64_t queries = 1, keys = 1, heads = 1, kv_heads = 1, head_dim = 64;
  Dtype dtype = Dtype::bf16;
};
/// Queries and a cache of keys and values, all in DRAM.
Trace attention_trace(const Attention& attention);

struct Timed {
  double predicted = 0.0, simulated = 0.0;  // seconds, from the end of the launch to the operator's
};
/// Of the trace's only operator on configs/soc/`soc`.yaml, simulated in a process of its own; nullopt if that failed.
std::optional<Timed> time_of(const Trace& trace, const std::string& soc);

}  // namespace archsim
