// Which iterations of a program's loops a sampled run executes, and which of them stand for those that it leaves out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arch/workload/trace.h"

namespace archsim {

/// Of `count` iterations a sampled run executes `simulated`. Of these, [first, first + copied) stand for the ones that are left
/// out too, one after another; what comes before leads in, what comes behind leads out.
struct SampledLoop {
  std::string name;
  std::uint32_t count = 1;
  std::uint32_t simulated = 1;
  std::uint32_t first = 0;
  std::uint32_t copied = 0;  // 0: every iteration is executed

  std::uint32_t left_out() const { return count - simulated; }
  bool is_copy(std::uint32_t iteration) const {
    return copied > 0 && iteration >= first + copied && iteration < first + copied + left_out();
  }
  /// The executed iteration that stands for `iteration`.
  std::uint32_t stands_for(std::uint32_t iteration) const {
    if (copied == 0 || iteration < first + copied) return iteration;
    return is_copy(iteration) ? first + (iteration - first) % copied : iteration - left_out();
  }
  /// How many iterations the executed one stands for, itself among them.
  std::uint64_t weight(std::uint32_t executed) const {
    if (copied == 0 || executed < first || executed >= first + copied) return 1;
    const std::uint32_t place = executed - first;
    return 1 + left_out() / copied + (place < left_out() % copied ? 1 : 0);
  }
};

/// The structure of the trace that a program executes (repeats that are done at once are gone from it), and how it is sampled.
struct Sampling {
  std::vector<Stage> stages;
  std::vector<Position> positions;  // by operator; instances of the whole trace
  std::vector<SampledLoop> loops;

  /// How many instances of an operator one executed instance stands for.
  std::uint64_t weight(std::uint32_t op, std::uint64_t executed) const {
    if (op >= positions.size()) return 1;
    std::uint64_t weight = 1;
    const auto& path = positions[op].loops;
    for (auto loop = path.rbegin(); loop != path.rend(); ++loop) {
      weight *= loops[*loop].weight(static_cast<std::uint32_t>(executed % loops[*loop].simulated));
      executed /= loops[*loop].simulated;
    }
    return weight;
  }
};

}  // namespace archsim
