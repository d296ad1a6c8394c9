#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "arch/machine/soc_spec.h"
#include "arch/mapping/map.h"
#include "arch/soc/soc.h"
#include "models/catalog.h"
#include "tests/source_dir.h"
#include "tests/validate/anchor.h"
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

// Seconds of each stage.
std::vector<double> simulate(const Trace& trace, const std::string& soc, const std::vector<std::string>& settings) {
  const auto spec = read_soc(*read_source(ARCHSIM_SOURCE_DIR "/configs/soc/" + soc + ".yaml"), settings, catalog());
  if (!spec) {
    fmt::print(stderr, "{}", render(spec.diagnostics()));
    return {};
  }
  const auto program = map(trace, machine_view(*spec));
  const auto result = Soc(*spec, trace, *program).run();
  const auto where = positions(trace);
  std::vector<Time> ends(trace.stages.size(), Time::zero());
  for (const auto& run : result.operators) {
    auto& end = ends[where[run.operator_index].stage];
    end = std::max(end, run.end);
  }
  std::vector<double> stages;
  Time before = Time::zero();
  for (const Time end : ends) {
    stages.push_back(seconds(end - before));
    before = end;
  }
  return stages;
}

// A run in a process of its own, because the SystemC kernel is global.
class Child {
 public:
  Child(const Trace& trace, const std::string& soc, const std::vector<std::string>& settings) {
    int ends[2] = {-1, -1};
    if (::pipe(ends) != 0) return;
    pid_ = ::fork();
    if (pid_ == 0) {
      const auto stages = simulate(trace, soc, settings);
      const auto bytes = stages.size() * sizeof(double);
      const bool is_written = ::write(ends[1], stages.data(), bytes) == static_cast<ssize_t>(bytes);
      ::_exit(is_written && !stages.empty() ? 0 : 1);
    }
    ::close(ends[1]);
    from_ = ends[0];
  }
  std::vector<double> stages(std::size_t count) {
    std::vector<double> read(count);
    const auto bytes = count * sizeof(double);
    const bool is_read = ::read(from_, read.data(), bytes) == static_cast<ssize_t>(bytes);
    ::close(from_);
    ::waitpid(pid_, nullptr, 0);
    if (!is_read) read.clear();
    return read;
  }

 private:
  pid_t pid_ = -1;
  int from_ = -1;
};

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
  const std::size_t count = trace->stages.size();
  const auto base = Child(*trace, machine.soc, {}).stages(count);
  if (base.empty()) return;
  for (const auto& doubled : machine.doublings) {
    const auto stages = Child(*trace, machine.soc, {doubled}).stages(count);
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
