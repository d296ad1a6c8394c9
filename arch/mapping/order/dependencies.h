// Who must wait for whom: read-after-write, write-after-read and write-after-write, over code with loops.
//
// Nodes stand in one sequential order whose result the parallel execution must equal. A node belongs to a stream that
// issues in order, and its completion is a number on a counter. The pass walks the code with a history of who last touched
// each byte range. A loop's body is walked twice: first from the history at entry, then from the history at the end of the
// body moved back by one iteration. What the second walk finds are waits relative to the iteration, which hold in all
// iterations. What only the first iteration needs is waited for once, by the stream, in front of the loop (`fence`).
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace archsim {

struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool writes = false;
  bool waits = true;   // for earlier accesses
  bool counts = true;  // as an access that later ones wait for
};

struct DependencyNode {
  enum class Kind : std::uint8_t { access, loop_begin, loop_end };
  static constexpr std::uint8_t kMaxCounters = 4;
  static constexpr std::uint8_t kMaxStreams = 4;

  Kind kind = Kind::access;
  std::uint8_t stream = 0;
  std::uint8_t counter = 0;
  bool advances = true;  // false: its completion is told by a later node of the same counter
  std::uint32_t loop_count = 1;
  std::vector<ByteRange> ranges;
};

/// Counts from 0 at the program's start, as they are in the first iteration of all enclosing loops; the n-th completion is n.
using Counts = std::array<std::int64_t, DependencyNode::kMaxCounters>;
constexpr std::int64_t kNoWait = std::numeric_limits<std::int64_t>::min();

struct LoopDependencies {
  Counts per_iteration{};                                   // how far one iteration advances each counter
  std::array<Counts, DependencyNode::kMaxStreams> fence{};  // by stream: to wait for in front of the loop
};

struct Dependencies {
  std::vector<Counts> wait;             // by node
  std::vector<LoopDependencies> loops;  // by node; meaningful for loop_begin
  Counts total{};
};

struct DependencyRules {
  /// Nodes of one counter take effect in order, and a stream's waits imply what the waited-for node itself had waited for.
  bool counters_are_streams = false;
};

Dependencies find_dependencies(const std::vector<DependencyNode>& nodes, DependencyRules rules);

}  // namespace archsim
