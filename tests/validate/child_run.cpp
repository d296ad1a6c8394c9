#include "tests/validate/child_run.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "arch/machine/soc_spec.h"
#include "arch/mapping/map.h"
#include "arch/soc/soc.h"
#include "models/catalog.h"
#include "tests/source_dir.h"

namespace archsim {
namespace {

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

}  // namespace

std::vector<double> run_in_child(const Trace& trace, const std::string& soc, const std::vector<std::string>& settings) {
  return Child(trace, soc, settings).stages(trace.stages.size());
}

}  // namespace archsim
