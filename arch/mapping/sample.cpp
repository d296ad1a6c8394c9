#include "arch/mapping/sample.h"

#include <algorithm>

namespace archsim {
namespace {

// The first iteration finds engines empty and the last fetches for what comes behind the loop: they are never copied. Engines take
// two to keep their distances. Single ones differ by up to 2 % where many accelerators meet in the memories (single tokens of
// OpenVLA on humanoid_hbm3), so three are copied. Of a loop with loops inside one is, as each of those tells for itself.
constexpr std::uint32_t kLeadIn = 2, kCopied = 3, kLeadInAround = 1, kCopiedAround = 1, kLeadOut = 1;

SampledLoop sampled(const Loop& loop, bool has_loops) {
  const std::uint32_t first = has_loops ? kLeadInAround : kLeadIn, copied = has_loops ? kCopiedAround : kCopied;
  const std::uint32_t simulated = first + copied + kLeadOut;
  if (simulated >= loop.count) return {.name = loop.name, .count = loop.count, .simulated = loop.count};
  return {.name = loop.name, .count = loop.count, .simulated = simulated, .first = first, .copied = copied};
}

void visit(const Repeat& repeat, const std::vector<Loop>& loops, std::vector<SampledLoop>& out) {
  const bool has_loops = std::any_of(repeat.body.begin(), repeat.body.end(),
                                     [](const Step& step) { return std::holds_alternative<Repeat>(step); });
  out[repeat.loop] = sampled(loops[repeat.loop], has_loops);
  for (const Step& step : repeat.body) {
    if (const auto* inner = std::get_if<Repeat>(&step)) visit(*inner, loops, out);
  }
}

}  // namespace

Sampling sample(Planned& planned) {
  Trace& trace = planned.staged.trace;
  Sampling sampling{.stages = trace.stages, .positions = positions(trace)};
  for (const Loop& loop : trace.loops) {
    sampling.loops.push_back({.name = loop.name, .count = loop.count, .simulated = loop.count});
  }
  for (const Stage& stage : trace.stages) visit(stage.repeat, trace.loops, sampling.loops);
  for (std::size_t i = 0; i < trace.loops.size(); ++i) trace.loops[i].count = sampling.loops[i].simulated;
  return sampling;
}

}  // namespace archsim
