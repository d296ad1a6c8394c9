// How fast traces are made and read: every workload of the zoo within a second, and a million operators read and validated at a
// million a second of CPU time.
//
//   bench_traces [FOLDER]     workloads in FOLDER (traces/workloads). Exit 1 if a target is missed.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/random_trace/trace_builder.h"
#include "traces/file/trace_reader.h"
#include "traces/file/write_trace.h"
#include "traces/generate/generate.h"

namespace archsim {
namespace {

constexpr double kMostSeconds = 1.0, kOperatorsASecond = 1e6;
constexpr std::uint64_t kOperators = 1'000'000;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double peak_mebibytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

bool zoo_is_quick(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() == ".yaml") files.push_back(file.path().string());
  }
  std::sort(files.begin(), files.end());
  bool all = !files.empty();
  for (const auto& file : files) {
    const double begin = cpu_seconds();
    const auto trace = build_trace(file, {}, {});
    const double seconds = cpu_seconds() - begin;
    const bool holds = trace && seconds <= kMostSeconds;
    fmt::print("{} {:<50} {:8.3f} s to build, at most {:g} s\n", holds ? "ok  " : "MISS", file, seconds, kMostSeconds);
    all = all && holds;
  }
  return all;
}

// A chain of small products and sums, as an importer makes them.
Trace long_trace() {
  TraceBuilder builder;
  builder.begin_stage("chain", 1);
  const auto weight = use(builder.tensor({.name = "weight", .role = Role::weight, .shape = {16, 16}}));
  auto x = use(builder.tensor({.name = "x", .role = Role::input, .shape = {4, 16}}));
  for (std::uint64_t i = 0; i < kOperators; ++i) {
    const Role role = i + 1 == kOperators ? Role::output : Role::activation;
    const auto y = use(builder.tensor({.name = fmt::format("t{}", i), .role = role, .shape = {4, 16}}));
    if (i % 2 == 0) {
      builder.add(OperatorType::linear, "linear", {x, weight}, {y});
    } else {
      builder.add(OperatorType::gelu, "gelu", {x}, {y});
    }
    x = y;
  }
  builder.end_stage();
  Trace trace = builder.take();
  trace.model = "chain";
  return trace;
}

bool reading_is_quick() {
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("bench_{}.trace", ::getpid())).string();
  if (!write_trace(long_trace(), path)) return false;
  const double begin = cpu_seconds();
  const auto trace = read_trace(path);
  const double seconds = cpu_seconds() - begin;
  std::filesystem::remove(path);
  if (!trace) fmt::print("{}\n", render(trace.diagnostics()).substr(0, 2000));
  const double rate = static_cast<double>(kOperators) / seconds;
  const bool holds = trace && trace->operators.size() == kOperators && rate >= kOperatorsASecond;
  fmt::print(
      "{} a million operators read and validated: {:.3f} M/s, at least {:g} M/s; peak {:.0f} MiB, writer included\n",
      holds ? "ok  " : "MISS", rate / 1e6, kOperatorsASecond / 1e6, peak_mebibytes());
  return holds;
}

}  // namespace
}  // namespace archsim

int main(int argc, char** argv) {
  const bool zoo = archsim::zoo_is_quick(argc > 1 ? argv[1] : "traces/workloads");
  return archsim::reading_is_quick() && zoo ? 0 : 1;
}
