#include "sweep/run/worker.h"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <vector>

namespace archsim {
namespace {

constexpr std::size_t kLongestError = 2000;
constexpr std::size_t kMostAxes = 4096;
constexpr std::size_t kHead = 3;  // words of a job before its point: id, fidelity

struct AnswerFrame {
  std::uint64_t id = 0;
  Metrics metrics;
  PointStatus status = PointStatus::failed;
  std::uint32_t error_size = 0;
  std::array<char, kLongestError> error{};
};

bool send_all(int socket, const void* data, std::size_t size) {
  ssize_t sent = 0;
  do {
    sent = ::send(socket, data, size, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(size);
}

std::optional<Job> receive_job(int socket) {
  std::vector<std::uint32_t> words(kMostAxes + kHead);
  ssize_t size = 0;
  do {
    size = ::recv(socket, words.data(), words.size() * sizeof(words[0]), 0);
  } while (size < 0 && errno == EINTR);
  if (size < static_cast<ssize_t>(kHead * sizeof(words[0]))) return {};
  words.resize(static_cast<std::size_t>(size) / sizeof(words[0]));
  return Job{words[0] | (std::uint64_t{words[1]} << 32), Point(words.begin() + kHead, words.end()),
             static_cast<Fidelity>(words[2])};
}

void answer(int socket, std::uint64_t id, const PointResult& result) {
  AnswerFrame frame;
  frame.id = id;
  frame.metrics = result.metrics;
  frame.status = result.status;
  frame.error_size = static_cast<std::uint32_t>(std::min(result.error.size(), kLongestError));
  std::memcpy(frame.error.data(), result.error.data(), frame.error_size);
  send_all(socket, &frame, sizeof(frame) - kLongestError + frame.error_size);
}

[[noreturn]] void work(int socket, Evaluator& evaluator) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  while (const auto job = receive_job(socket)) {
    PointResult result;
    try {
      result = evaluator.evaluate(job->point, job->fidelity);
    } catch (const std::exception& error) {
      result.error = std::string("a bug of ours: ") + error.what();
    }
    answer(socket, job->id, result);
  }
  ::_exit(0);
}

}  // namespace

std::optional<WorkerProcess> start_worker(Evaluator& evaluator) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return {};
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::close(ends[0]);
    work(ends[1], evaluator);
  }
  ::close(ends[1]);
  if (pid < 0) {
    ::close(ends[0]);
    return {};
  }
  ::setpgid(pid, pid);
  return WorkerProcess{pid, ends[0]};
}

bool send_job(int socket, const Job& job) {
  std::vector<std::uint32_t> words{static_cast<std::uint32_t>(job.id), static_cast<std::uint32_t>(job.id >> 32),
                                   static_cast<std::uint32_t>(job.fidelity)};
  words.insert(words.end(), job.point.begin(), job.point.end());
  return send_all(socket, words.data(), words.size() * sizeof(words[0]));
}

std::optional<JobAnswer> receive_answer(int socket, bool& is_gone) {
  AnswerFrame frame;
  const ssize_t size = ::recv(socket, &frame, sizeof(frame), MSG_DONTWAIT);
  if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return {};
  if (size <= 0) {
    is_gone = true;
    return {};
  }
  return JobAnswer{frame.id, {frame.status, std::string(frame.error.data(), frame.error_size), frame.metrics}};
}

}  // namespace archsim
