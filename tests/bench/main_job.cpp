// How fast archsim is: the main job (pi0 on the edge SoC), and how cost grows with inferences in one trace.
//
//   bench_main_job [--config SOC.yaml] [--workload FILE.yaml] [--set PARAM=VALUE]...
//
// Exit 1 if the main job takes over 10 s of CPU time (it is one thread; wall time depends on who else computes) or 500 MB, or
// if cost grows faster than linearly.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <systemc>
#include <vector>

#include "arch/machine/soc_spec.h"
#include "arch/mapping/sample.h"
#include "arch/soc/soc.h"
#include "models/catalog.h"
#include "models/roofline/bound.h"
#include "tests/source_dir.h"
#include "traces/generate/generate.h"

namespace archsim {
namespace {

constexpr double kMostSeconds = 10.0, kMostMegabytes = 500.0;
constexpr double kNoise = 1.15;  // a doubled trace may take so much more than twice

struct Setup {
  std::string config = ARCHSIM_SOURCE_DIR "/configs/soc/edge_lpddr5.yaml";
  std::string workload = ARCHSIM_SOURCE_DIR "/traces/workloads/pi0.yaml";
  std::vector<std::string> settings;
  bool is_sampled = false;
};

struct Cost {
  double build_s = 0.0, map_s = 0.0, bound_s = 0.0, simulate_s = 0.0;  // wall
  double cpu_s = 0.0;
  double simulated_s = 0.0;
  std::uint64_t commands = 0, dram_bytes = 0, deltas = 0, peak_bytes = 0;
  double wall_s() const { return build_s + map_s + bound_s + simulate_s; }
};

class Watch {
 public:
  double lap() {
    const auto now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
};

double stat(const BlockReport& block, std::string_view name) {
  for (const auto& [key, value] : block.stats) {
    if (key == name) return value;
  }
  return 0.0;
}

Cost run_once(const Setup& setup, unsigned inferences) {
  Cost cost;
  Watch watch;
  auto settings = setup.settings;
  settings.push_back("inferences=" + std::to_string(inferences));
  const auto trace = build_trace(setup.workload, settings);
  cost.build_s = watch.lap();
  const auto spec = read_soc(*read_source(setup.config), {}, catalog());
  const auto machine = machine_view(*spec);
  auto planned = plan_trace(*trace, machine, machine.mapping);
  std::optional<Sampling> sampling;
  if (setup.is_sampled) sampling = sample(*planned, machine);
  const auto program = program_of(*trace, machine, machine.mapping, *std::move(planned));
  cost.map_s = watch.lap();
  bound(*trace, machine);
  cost.bound_s = watch.lap();
  const auto result = Soc(*spec, *trace, *program, {.sampling = sampling ? &*sampling : nullptr}).run();
  cost.simulate_s = watch.lap();
  if (result.fault) {
    fmt::print(stderr, "the machine is stuck: {}\n", result.fault->what);
    std::_Exit(3);
  }
  cost.simulated_s = seconds(result.time);
  cost.deltas = sc_core::sc_delta_count();
  for (const auto& block : result.blocks) {
    if (block.kind == "accel") cost.commands += static_cast<std::uint64_t>(stat(block, "commands"));
    if (block.kind == "dram") cost.dram_bytes += block.served.read + block.served.written;
  }
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds_of = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  cost.cpu_s = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  cost.peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  return cost;
}

// In a process of its own: the SystemC kernel is global, and peak memory is a process's.
Cost run_apart(const Setup& setup, unsigned inferences) {
  int pipe[2];
  if (::pipe(pipe) != 0) std::exit(70);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto cost = run_once(setup, inferences);
    const auto written = ::write(pipe[1], &cost, sizeof cost);
    std::_Exit(written == static_cast<ssize_t>(sizeof cost) ? 0 : 70);
  }
  ::close(pipe[1]);
  Cost cost;
  const auto got = ::read(pipe[0], &cost, sizeof cost);
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (got != static_cast<ssize_t>(sizeof cost) || status != 0) {
    fmt::print(stderr, "the run of {} inferences failed\n", inferences);
    std::exit(1);
  }
  return cost;
}

bool holds(bool is_met, const std::string& what) {
  fmt::print("{} {}\n", is_met ? "ok  " : "MISS", what);
  return is_met;
}

void print_main_job(const Cost& cost) {
  const auto per_second = [&](std::uint64_t count) {
    return static_cast<double>(count) / cost.simulate_s;
  };  // of wall time
  fmt::print("main job: {:.2f} s of wall time for {:.1f} ms of robot time\n", cost.wall_s(), cost.simulated_s * 1e3);
  fmt::print("  trace {:.3f} s, mapping {:.3f} s, bound {:.4f} s, simulation {:.2f} s; {:.2f} s of CPU time\n",
             cost.build_s, cost.map_s, cost.bound_s, cost.simulate_s, cost.cpu_s);
  fmt::print("  {} commands, {:.3g} a second\n", cost.commands, per_second(cost.commands));
  fmt::print("  {} DRAM bytes, {:.3g} a second\n", cost.dram_bytes, per_second(cost.dram_bytes));
  fmt::print("  {} delta cycles of the kernel, {:.3g} a second\n", cost.deltas, per_second(cost.deltas));
  fmt::print("  {:.1f} MB at most\n", static_cast<double>(cost.peak_bytes) / 1e6);
}

void print_fidelities(Setup setup, const Cost& full) {
  setup.is_sampled = true;
  const auto sampled = run_apart(setup, 1);
  fmt::print(
      "fidelities: full {:.2f} s of CPU time, sampled {:.2f} s (1/{:.1f} of it, mapping {:.3f} s) for {:.3f} and "
      "{:.3f} ms, "
      "roofline {:.4f} s\n",
      full.cpu_s, sampled.cpu_s, full.cpu_s / sampled.cpu_s, sampled.map_s, full.simulated_s * 1e3,
      sampled.simulated_s * 1e3, full.bound_s);
}

int bench(const Setup& setup) {
  const auto one = run_apart(setup, 1);
  print_main_job(one);
  print_fidelities(setup, one);
  const auto two = run_apart(setup, 2), four = run_apart(setup, 4);
  fmt::print(
      "CPU seconds for 1, 2, 4 inferences in one trace: {:.2f}, {:.2f}, {:.2f}; memory {:.0f}, {:.0f}, {:.0f} MB\n",
      one.cpu_s, two.cpu_s, four.cpu_s, static_cast<double>(one.peak_bytes) / 1e6,
      static_cast<double>(two.peak_bytes) / 1e6, static_cast<double>(four.peak_bytes) / 1e6);
  bool all = holds(one.cpu_s < kMostSeconds, fmt::format("under {} s", kMostSeconds));
  all = holds(static_cast<double>(one.peak_bytes) < kMostMegabytes * 1e6, fmt::format("under {} MB", kMostMegabytes)) &&
        all;
  all = holds(two.cpu_s <= kNoise * 2 * one.cpu_s && four.cpu_s <= kNoise * 2 * two.cpu_s,
              "cost grows linearly with inferences or better") &&
        all;
  return all ? 0 : 1;
}

int main_of(int argc, char** argv) {
  Setup setup;
  setup.settings = {"dtype=int8"};
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view option = argv[i];
    if (option == "--config") {
      setup.config = argv[i + 1];
    } else if (option == "--workload") {
      setup.workload = argv[i + 1];
    } else if (option == "--set") {
      setup.settings.emplace_back(argv[i + 1]);
    } else {
      fmt::print(stderr, "unknown option {}\n", option);
      return 2;
    }
  }
  return bench(setup);
}

}  // namespace
}  // namespace archsim

int main(int argc, char** argv) { return archsim::main_of(argc, argv); }

// libsystemc.so refers to this symbol.
int sc_main(int, char**) { return 0; }
