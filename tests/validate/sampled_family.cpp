#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "arch/machine/soc_spec.h"
#include "arch/mapping/sample.h"
#include "arch/soc/soc.h"
#include "models/catalog.h"
#include "tests/source_dir.h"
#include "tests/validate/anchor.h"
#include "traces/generate/generate.h"

namespace archsim {
namespace {

constexpr double kMostError = 0.01;  // of the time

// What is compared of a run; crosses a pipe.
struct Told {
  double time_s = 0.0, error_s = 0.0, cpu_s = 0.0;
  std::uint64_t instances = 0, dram_read = 0, dram_written = 0;
  std::uint64_t counts = 0;  // a digest of every count that the program decides
  bool is_done = false;
};

class Digest {
 public:
  void add(std::uint64_t number) { value_ = (value_ ^ number) * 0x0000'0100'0000'01B3; }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF2'9CE4'8422'2325;
};

// Rows of operators with their bytes and events, events of accelerators, bytes of all blocks.
void put_counts(const RunResult& result, Told& told) {
  Digest digest;
  for (const OperatorRun& run : result.operators) {
    for (const std::uint64_t number : {std::uint64_t{run.operator_index}, run.iteration, run.dram_bytes}) {
      digest.add(number);
    }
    for (const std::uint64_t count : run.events) digest.add(count);
  }
  for (const BlockReport& block : result.blocks) {
    for (const Traffic& traffic : {block.requested, block.served}) {
      digest.add(traffic.read);
      digest.add(traffic.written);
    }
    if (block.kind == "accel") {
      for (const auto& event : block.events) digest.add(event.second);
    }
    if (block.kind != "dram") continue;
    told.dram_read += block.served.read;
    told.dram_written += block.served.written;
  }
  told.instances = result.operators.size();
  told.counts = digest.value();
}

double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

Told run(const Trace& trace, const std::string& soc, bool is_sampled) {
  Told told;
  const double began = cpu_seconds();  // of the parent's life nothing, but of the child's start
  const auto spec = read_soc(*read_source(ARCHSIM_SOURCE_DIR "/configs/soc/" + soc + ".yaml"), {}, catalog());
  const auto machine = machine_view(*spec);
  auto planned = plan_trace(trace, machine, machine.mapping);
  if (!planned) return told;
  std::optional<Sampling> sampling;
  if (is_sampled) sampling = sample(*planned, machine);
  const auto program = program_of(trace, machine, machine.mapping, *std::move(planned));
  if (!program) return told;
  Soc simulated(*spec, trace, *program, {.sampling = sampling ? &*sampling : nullptr});
  const RunResult result = simulated.run();
  if (result.fault) return told;
  told.time_s = seconds(result.time);
  told.error_s = seconds(simulated.sampling_error());
  put_counts(result, told);
  told.cpu_s = cpu_seconds() - began;
  told.is_done = true;
  return told;
}

// In a process of its own: the SystemC kernel is global.
Told run_apart(const Trace& trace, const std::string& soc, bool is_sampled) {
  int ends[2] = {-1, -1};
  Told told;
  if (::pipe(ends) != 0) return told;
  const pid_t child = ::fork();
  if (child == 0) {
    const Told own = run(trace, soc, is_sampled);
    const bool is_written = ::write(ends[1], &own, sizeof own) == static_cast<ssize_t>(sizeof own);
    ::_exit(is_written ? 0 : 1);
  }
  ::close(ends[1]);
  if (::read(ends[0], &told, sizeof told) != static_cast<ssize_t>(sizeof told)) told.is_done = false;
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return told;
}

std::vector<std::string> zoo() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(ARCHSIM_SOURCE_DIR "/traces/workloads")) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool is_near(const std::string& model, const std::string& soc, const Trace& trace) {
  const Told whole = run_apart(trace, soc, false);
  if (!whole.is_done) {
    fmt::print("--   {} on {}: no run\n", model, soc);  // what cannot run in full is no matter of sampling
    return true;
  }
  const Told some = run_apart(trace, soc, true);
  const double error = std::abs(some.time_s - whole.time_s) / whole.time_s;
  const bool has_counts = some.counts == whole.counts && some.instances == whole.instances &&
                          some.dram_read == whole.dram_read && some.dram_written == whole.dram_written;
  const bool holds = some.is_done && has_counts && error < kMostError;
  fmt::print(
      "{} {} on {}: {:.3f} ms, sampled {:+.3f} %, estimated {:.3f} %, counts {}; {:.2f} and {:.2f} s of CPU time\n",
      holds ? "ok  " : "MISS", model, soc, 1e3 * whole.time_s, 1e2 * (some.time_s / whole.time_s - 1.0),
      1e2 * some.error_s / whole.time_s, has_counts ? "equal" : "differ", whole.cpu_s, some.cpu_s);
  return holds;
}

}  // namespace

bool sampled_holds() {
  bool all = true;
  for (const std::string& file : zoo()) {
    auto trace = build_trace(file, {"dtype=int8"});
    if (!trace) trace = build_trace(file, {});
    if (!trace) continue;
    for (const char* soc : {"edge_lpddr5", "humanoid_hbm3"}) {
      all = is_near(std::filesystem::path(file).stem().string(), soc, *trace) && all;
      (void)std::fflush(stdout);
    }
  }
  return all;
}

}  // namespace archsim
