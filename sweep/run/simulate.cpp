#include "sweep/run/simulate.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <exception>
#include <optional>

#include "arch/machine/price/price.h"
#include "arch/mapping/sample.h"
#include "arch/soc/soc.h"

namespace archsim {
namespace {

constexpr std::size_t kLongestError = 2000;

struct Message {
  std::uint64_t picoseconds = 0, dram_bytes = 0;
  double energy_j = 0.0;
  std::uint32_t error_size = 0;
  std::array<char, kLongestError> error{};
};

void say(Message& message, const std::string& error) {
  message.error_size = static_cast<std::uint32_t>(std::min(error.size(), kLongestError));
  std::memcpy(message.error.data(), error.data(), message.error_size);
}

Checked<Program> program_for(const SimulationJob& job, std::optional<Sampling>& sampling) {
  auto planned = plan_trace(job.trace, job.machine, job.machine.mapping);
  if (!planned) return planned.diagnostics();
  if (job.is_sampled) sampling = sample(*planned, job.machine);
  return program_of(job.trace, job.machine, job.machine.mapping, *std::move(planned));
}

Message simulate(const SimulationJob& job) {
  Message message;
  if (const BlockSpec* whole = executes_everything(job.spec); job.is_sampled && whole != nullptr) {
    say(message, "`" + whole->name + "` is its RTL, which fidelity `sampled` cannot shorten");
    return message;
  }
  std::optional<Sampling> sampling;
  const auto program = program_for(job, sampling);
  if (!program) {
    for (const auto& diagnostic : program.diagnostics().all()) {
      if (diagnostic.severity != Severity::error) continue;
      say(message, diagnostic.message);
      break;
    }
    return message;
  }
  const RunResult result =
      Soc(job.spec, job.trace, *program, {.seed = job.seed, .sampling = sampling ? &*sampling : nullptr}).run();
  message.picoseconds = result.time.value;
  for (const auto& block : result.blocks) {
    if (block.kind == "dram") message.dram_bytes += block.served.read + block.served.written;
  }
  if (result.fault) {
    say(message,
        fmt::format("stuck: {} of `{}`: {}", name_of(result.fault->kind), result.fault->block, result.fault->what));
  }
  if (!result.fault && job.tech != nullptr) {
    message.energy_j = price(result, job.spec, *job.tech, Bands::without).energy_j.nominal;
  }
  return message;
}

[[noreturn]] void child(int out, const SimulationJob& job) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  Message message;
  try {
    message = simulate(job);
  } catch (const std::exception& error) {
    say(message, std::string("a bug of ours: ") + error.what());
  }
  const bool written = ::write(out, &message, sizeof(message)) == static_cast<ssize_t>(sizeof(message));
  ::_exit(written ? 0 : 1);
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) return fmt::format("the simulation was ended by signal {}", WTERMSIG(status));
  return fmt::format("the simulation ended with status {}", WEXITSTATUS(status));
}

/// The message is shorter than what a pipe holds, so it is there whole or not at all.
bool receive(int in, Message& message) {
  std::size_t size = 0;
  auto* bytes = reinterpret_cast<char*>(&message);
  while (size < sizeof(message)) {
    const auto more = ::read(in, bytes + size, sizeof(message) - size);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) return false;
    size += static_cast<std::size_t>(more);
  }
  return true;
}

}  // namespace

SimulatedRun simulate_apart(const SimulationJob& job) {
  SimulatedRun run;
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return {"there is no pipe to be had: " + std::string(std::strerror(errno))};
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::close(ends[0]);
    child(ends[1], job);
  }
  ::close(ends[1]);
  Message message;
  const bool received = pid > 0 && receive(ends[0], message);
  ::close(ends[0]);
  int status = 0;
  if (pid > 0) {
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
  }
  if (pid < 0) run.error = "no process can be started: " + std::string(std::strerror(errno));
  if (pid > 0 && !received) run.error = how_it_ended(status);
  if (received) {
    run.error.assign(message.error.data(), message.error_size);
    run.time = Time(message.picoseconds);
    run.dram_bytes = message.dram_bytes;
    run.energy_j = message.energy_j;
  }
  return run;
}

}  // namespace archsim
