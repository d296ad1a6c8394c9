// What a whole trace moves and what dominates it, from the counts of docs/counting.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "arch/workload/count.h"
#include "arch/workload/trace.h"

namespace archsim {

/// Bytes by what they are; each operator or stage on its own, nothing kept on chip from one to the next.
struct MovedBytes {
  std::uint64_t weight = 0, kv_read = 0, kv_write = 0, activation = 0;
  std::uint64_t all() const { return weight + kv_read + kv_write + activation; }
};
MovedBytes moved_bytes(const Counts& counts);

/// MACs a byte; 0 where nothing moves.
double intensity(std::uint64_t macs, const MovedBytes& bytes);

/// What one repeat of a stage adds to the KV caches.
struct KvGrowth {
  std::uint64_t bytes = 0;
  double rows = 0;  // positions: bytes over those that one row of every written cache takes
};

/// One operator or one type of operators, all instances together.
struct Share {
  std::string_view name;
  OperatorType type = OperatorType::linear;
  std::uint64_t operators = 0, instances = 0;
  std::uint64_t macs = 0;
  MovedBytes bytes;
};

struct TraceSummary {
  MovedBytes bytes;                 // of all stages and repeats; a stage fetches each weight once a repeat
  std::vector<KvGrowth> kv_growth;  // one a stage
  std::vector<Share> types;         // those that occur, in the order of OperatorType
  std::vector<Share> by_macs;       // operators, most first, at most kTop, none without MACs
  std::vector<Share> by_bytes;      // likewise; weights counted in every instance
};
constexpr std::size_t kTop = 10;

/// `counts` must be those of `trace`.
TraceSummary summarize(const Trace& trace, const TraceCounts& counts);

}  // namespace archsim
