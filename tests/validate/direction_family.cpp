#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/source_dir.h"
#include "tests/validate/anchor.h"
#include "tests/validate/child_run.h"
#include "traces/generate/generate.h"

namespace archsim {
namespace {

// Estimates choose the mapping, so a run may come out slower by so much.
constexpr double kNotSlower = 1.005;

struct Machine {
  const char* soc;
  std::vector<std::string> doublings;
};

std::vector<Machine> machines() {
  return {
      {"edge_lpddr5",
       {"npu.rows=128", "npu.cols=128", "clocks.npu=2 GHz", "clocks.noc=2 GHz", "npu.scratchpad.capacity=4 MiB",
        "npu.scratchpad.port_width=128 B", "npu.accumulator=1 MiB", "npu.vector_lanes=256", "npu.dma.outstanding=32",
        "npu.dma.burst=1 KiB", "l2.capacity=32 MiB", "l2.banks=16", "noc.link_width=128 B", "dram.channels=16"}},
      {"humanoid_hbm3",
       {"npu.rows=256", "npu.cols=256", "clocks.npu=2 GHz", "clocks.noc=2 GHz", "npu.scratchpad.capacity=8 MiB",
        "npu.scratchpad.port_width=256 B", "npu.accumulator=4 MiB", "npu.vector_lanes=512", "npu.dma.outstanding=128",
        "npu.dma.burst=1 KiB", "l2.capacity=128 MiB", "l2.banks=16", "noc.link_width=512 B", "dram.channels=64"}}};
}

double sum(const std::vector<double>& values) {
  double total = 0.0;
  for (const double value : values) total += value;
  return total;
}

std::string told(const Trace& trace, const std::vector<double>& stages, const std::vector<double>& base) {
  std::string text;
  for (std::size_t s = 0; s < stages.size(); ++s)
    text += fmt::format(" {} {:.3f} ms x{:.3f}", trace.stages[s].name, 1e3 * stages[s], stages[s] / base[s]);
  return fmt::format("{:.3f} ms:{}", 1e3 * sum(stages), text);
}

void add_directions(const Machine& machine, const std::string& dtype, std::vector<Anchor>& anchors) {
  const auto trace = build_trace(ARCHSIM_SOURCE_DIR "/traces/workloads/pi0.yaml", {"dtype=" + dtype});
  const auto base = run_in_child(*trace, machine.soc, {});
  if (base.empty()) return;
  for (const auto& doubled : machine.doublings) {
    const auto stages = run_in_child(*trace, machine.soc, {doubled});
    anchors.push_back({.what = fmt::format("{} {}, {}: time over that of the file", machine.soc, dtype, doubled),
                       .given = stages.empty() ? 1e9 : sum(stages) / sum(base),
                       .expected = kNotSlower,
                       .is_upper_limit = true,
                       .ground = stages.empty() ? "no run" : told(*trace, stages, base)});
  }
}

}  // namespace

std::vector<Anchor> direction_anchors() {
  std::vector<Anchor> anchors;
  for (const auto& machine : machines()) {
    for (const char* dtype : {"int8", "bf16"}) add_directions(machine, dtype, anchors);
  }
  return anchors;
}

}  // namespace archsim
