#include "arch/mapping/sample.h"

#include <algorithm>

#include "arch/workload/count.h"

namespace archsim {
namespace {

// The first iteration finds engines empty and the last fetches for what comes behind the loop: they are never copied.
struct Cut {
  std::uint32_t first, copied;
};
constexpr std::uint32_t kLeadOut = 1;
// Where arrays are what is waited for, and for long, iterations differ by 0.2 % at most (prefill of pi0 and OpenVLA on edge_lpddr5
// and humanoid_hbm3): one tells enough.
constexpr Cut kOfArrays{1, 1};
// Where memories are, or iterations are short, engines take two iterations to keep their distances, and single ones differ by up to 2 % (tokens of OpenVLA on
// humanoid_hbm3), so three are copied.
constexpr Cut kOfMemories{2, 3};
// Each of the loops inside tells for itself.
constexpr Cut kAround{1, 1};
// Times as much work for the arrays as for the DRAM, both at their peaks, so that the arrays are what is waited for.
constexpr double kBoundByArrays = 1.5;
// The arrays' part of a long iteration. DINOv2's layers of 50 us on humanoid_hbm3 differ by 1 %.
constexpr double kLong_s = 200e-6;

class Sampler {
 public:
  Sampler(const Trace& trace, const MachineView& machine) : trace_(trace), machine_(machine), counts_(count(trace)) {}

  std::vector<SampledLoop> run() {
    for (const Loop& loop : trace_.loops)
      loops_.push_back({.name = loop.name, .count = loop.count, .simulated = loop.count});
    for (const Stage& stage : trace_.stages) visit(stage.repeat);
    return std::move(loops_);
  }

 private:
  void visit(const Repeat& repeat) {
    const bool has_loops = std::any_of(repeat.body.begin(), repeat.body.end(),
                                       [](const Step& step) { return std::holds_alternative<Repeat>(step); });
    const Cut cut = has_loops ? kAround : waits_long_for_arrays(repeat) ? kOfArrays : kOfMemories;
    SampledLoop& loop = loops_[repeat.loop];
    if (cut.first + cut.copied + kLeadOut < loop.count) {
      loop.simulated = cut.first + cut.copied + kLeadOut;
      loop.first = cut.first;
      loop.copied = cut.copied;
    }
    for (const Step& step : repeat.body) {
      if (const auto* inner = std::get_if<Repeat>(&step)) visit(*inner);
    }
  }

  bool waits_long_for_arrays(const Repeat& repeat) const {
    double arrays_s = 0.0, dram_s = 0.0;
    for (const Step& step : repeat.body) {
      const std::uint32_t op = std::get<std::uint32_t>(step);
      dram_s += static_cast<double>(counts_.operators[op].weight_bytes) / machine_.dram.peak.value;
      if (counts_.operators[op].macs == 0) continue;
      const double peak = machine_.peak_macs_per_second(trace_.tensors[trace_.operators[op].inputs[0].tensor].dtype);
      if (peak > 0.0) arrays_s += static_cast<double>(counts_.operators[op].macs) / peak;
    }
    return arrays_s > kLong_s && arrays_s > kBoundByArrays * dram_s;
  }

  const Trace& trace_;
  const MachineView& machine_;
  const TraceCounts counts_;
  std::vector<SampledLoop> loops_;
};

}  // namespace

Sampling sample(Planned& planned, const MachineView& machine) {
  Trace& trace = planned.staged.trace;
  Sampling sampling{.stages = trace.stages, .positions = positions(trace), .loops = Sampler(trace, machine).run()};
  for (std::size_t i = 0; i < trace.loops.size(); ++i) trace.loops[i].count = sampling.loops[i].simulated;
  return sampling;
}

}  // namespace archsim
