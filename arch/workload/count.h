// What a trace computes and moves, by arithmetic alone: the columns of docs/counting.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arch/workload/trace.h"

namespace archsim {

/// Of one executed instance of an operator, or of one execution of a stage.
struct Counts {
  std::uint64_t macs = 0;  // with attention's
  std::uint64_t attention_macs = 0;
  std::uint64_t dead_macs = 0;         // those of operators whose result nobody uses
  std::uint64_t weight_elements = 0;   // each once, however often it is used; of an embedding table, the gathered rows
  std::uint64_t weight_bytes = 0;      // of these
  std::uint64_t kv_read_bytes = 0;     // from caches that this stage does not write
  std::uint64_t kv_write_bytes = 0;    // into caches
  std::uint64_t activation_bytes = 0;  // every operator on its own, nothing fused, scores not materialised
  std::uint64_t score_elements = 0;    // attention scores
  std::uint64_t vector_elements = 0;   // through the vector unit, with the scores

  Counts& operator+=(const Counts& more);
};

struct StageCounts {
  std::string name;
  std::uint32_t repeat = 1;
  Counts once;  // of one execution; the stage executes `repeat` times
};

/// All copies of all tensors of one role that are stored alike.
struct FormatCounts {
  Role role = Role::weight;
  Dtype dtype = Dtype::bf16;
  Grouping grouping;
  std::uint64_t elements = 0;
  StoredBytes bytes;
};

struct TraceCounts {
  std::vector<StageCounts> stages;
  std::vector<Counts> operators;  // of one instance each
  std::uint64_t macs = 0;         // of the whole trace, like the next ones
  std::uint64_t attention_macs = 0;
  std::uint64_t dead_macs = 0;
  std::uint64_t parameters = 0;      // unique elements of all weights
  std::uint64_t weight_bytes = 0;    // of these
  std::uint64_t kv_cache_bytes = 0;  // of all caches, all copies
  std::uint64_t executed_operators = 0;
  std::uint64_t casts = 0;  // of these, what only changes the format
  std::vector<FormatCounts> formats;
};

/// Needs a valid trace.
TraceCounts count(const Trace& trace);

}  // namespace archsim
