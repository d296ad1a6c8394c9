// How fast traces are made and read: every workload of the zoo within a second, and a million operators read and validated at a
// million a second of CPU time.
//
//   bench_traces [FOLDER]     workloads in FOLDER (traces/workloads). Exit 1 if a target is missed.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <functional>
#include <optional>
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

// In a process of its own, whose memory is as fresh as that of a program that has just begun. Nothing if it fails.
std::optional<double> apart(const std::function<double()>& work) {
  int ends[2] = {-1, -1};
  if (::pipe(ends) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    const double given = work();
    ::_exit(::write(ends[1], &given, sizeof given) == static_cast<ssize_t>(sizeof given) ? 0 : 1);
  }
  ::close(ends[1]);
  double given = 0.0;
  const bool is_read = ::read(ends[0], &given, sizeof given) == static_cast<ssize_t>(sizeof given);
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return is_read && given >= 0.0 ? std::optional(given) : std::nullopt;
}

double seconds_to_read(const std::string& path) {
  const double begin = cpu_seconds();
  const auto trace = read_trace(path);
  const double seconds = cpu_seconds() - begin;
  if (!trace) fmt::print("{}\n", render(trace.diagnostics()).substr(0, 2000));
  return trace && trace->operators.size() == kOperators ? seconds : -1.0;
}

bool reading_is_quick() {
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("bench_{}.trace", ::getpid())).string();
  const auto written = apart([&] { return write_trace(long_trace(), path) ? 0.0 : -1.0; });
  double best = 0.0;
  for (int i = 0; i < 5 && written; ++i) {  // others compute too
    if (const auto seconds = apart([&] { return seconds_to_read(path); }))
      best = std::max(best, static_cast<double>(kOperators) / *seconds);
  }
  std::filesystem::remove(path);
  const bool holds = best >= kOperatorsASecond;
  fmt::print("{} a million operators read and validated, best of 5: {:.3f} M/s, at least {:g} M/s\n",
             holds ? "ok  " : "MISS", best / 1e6, kOperatorsASecond / 1e6);
  return holds;
}

}  // namespace
}  // namespace archsim

int main(int argc, char** argv) {
  const bool zoo = archsim::zoo_is_quick(argc > 1 ? argv[1] : "traces/workloads");
  return archsim::reading_is_quick() && zoo ? 0 : 1;
}
