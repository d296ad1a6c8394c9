// A process that evaluates points: it reads requests from a socket and writes answers to it, until the other end is closed.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

#include "sweep/run/evaluator.h"

namespace archsim {

struct Job {
  std::uint64_t id = 0;
  Point point;
  Fidelity fidelity = Fidelity::full;
};

struct JobAnswer {
  std::uint64_t id = 0;
  PointResult result;
};

struct WorkerProcess {
  pid_t pid = -1;
  int socket = -1;
};

/// Forks one. It has a process group of its own, so that Ctrl-C does not reach it, and dies with its parent.
std::optional<WorkerProcess> start_worker(Evaluator& evaluator);

/// False if the worker is gone.
bool send_job(int socket, const Job& job);
/// Nothing if there is none now; `is_gone` if there will never be one.
std::optional<JobAnswer> receive_answer(int socket, bool& is_gone);

}  // namespace archsim
