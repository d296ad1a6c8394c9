// Random small workloads, for comparing a mapped program with the direct evaluation.
#pragma once

#include <cstdint>
#include <optional>

#include "arch/workload/trace.h"

namespace archsim {

struct RandomTraceOptions {
  std::optional<Dtype> dtype;  // of weights and activations: int8 or bf16; absent: by the seed
  bool attention = true;       // else only what is reproducible bit for bit
  bool loops = true;           // layers with copies of their weights, a KV cache, repeated steps
  bool host = true;            // operators that no accelerator runs
};

/// A valid trace. One stage that fills a KV cache, and one of repeated steps that reads it, each of one to three layers of
/// random blocks (projections, gated and plain feed-forward, attention, norms, elementwise) around a residual stream.
/// Its outputs have role output. Some 10 to 60 operators of some 10 tokens and some 30 columns.
Trace random_trace(std::uint64_t seed, const RandomTraceOptions& options = {});

}  // namespace archsim
