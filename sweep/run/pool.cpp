#include "sweep/run/pool.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <stdexcept>

namespace archsim {
namespace {

constexpr int kPollMilliseconds = 100;

}  // namespace

Pool::Pool(Evaluator& evaluator, const Options& options) : evaluator_(evaluator), options_(options) {
  workers_.resize(options.workers);
  for (auto& worker : workers_) restart(worker);
}

Pool::~Pool() {
  for (auto& worker : workers_) end(worker);
}

void Pool::run(const Next& next, const Take& take, const std::function<bool()>& is_over,
               const std::function<void()>& idle) {
  next_ = &next;
  take_ = &take;
  has_more_ = true;
  while (!is_over()) {
    bool is_busy = false;
    for (auto& worker : workers_) is_busy = refill(worker) || is_busy;
    if (!is_busy) return;
    wait();
    for (auto& worker : workers_) collect(worker);
    idle();
  }
  for (auto& worker : workers_) end(worker);
}

std::vector<pid_t> Pool::pids() const {
  std::vector<pid_t> pids;
  for (const auto& worker : workers_) pids.push_back(worker.process.pid);
  return pids;
}

/// Whether the worker has something to do.
bool Pool::refill(Worker& worker) {
  while (worker.jobs.size() < options_.queue && (has_more_ || !again_.empty())) {
    std::optional<Job> job;
    if (!again_.empty()) {
      job = std::move(again_.front());
      again_.pop_front();
    } else {
      job = (*next_)();
    }
    if (!job) {
      has_more_ = false;
      break;
    }
    if (worker.jobs.empty()) worker.since = Clock::now();
    worker.jobs.push_back(*std::move(job));
    if (send_job(worker.process.socket, worker.jobs.back())) continue;
    fail_first(worker, "the worker process is gone");
  }
  return !worker.jobs.empty();
}

void Pool::wait() {
  std::vector<pollfd> sockets;
  for (const auto& worker : workers_) sockets.push_back({worker.process.socket, POLLIN, 0});
  const int timeout = static_cast<int>(std::min(1000.0 * options_.timeout.count() + 1.0, double{kPollMilliseconds}));
  ::poll(sockets.data(), sockets.size(), timeout);
}

void Pool::collect(Worker& worker) {
  bool is_gone = false;
  while (auto answer = receive_answer(worker.process.socket, is_gone)) {
    if (worker.jobs.empty() || worker.jobs.front().id != answer->id) continue;
    const Job job = std::move(worker.jobs.front());
    worker.jobs.pop_front();
    worker.since = Clock::now();
    (*take_)(job, answer->result);
  }
  if (is_gone) return fail_first(worker, "");
  if (worker.jobs.empty() || Clock::now() - worker.since < options_.timeout) return;
  fail_first(worker, fmt::format("no answer within {:g} s", options_.timeout.count()));
}

/// The point that a worker was at fails; the others of its queue go to whoever is next.
void Pool::fail_first(Worker& worker, const std::string& error) {
  ::kill(-worker.process.pid, SIGKILL);
  int status = 0;
  while (::waitpid(worker.process.pid, &status, 0) < 0 && errno == EINTR) {
  }
  ::close(worker.process.socket);
  worker.process = {};
  auto jobs = std::move(worker.jobs);
  worker.jobs.clear();
  if (!jobs.empty()) {
    PointResult result;
    result.error = !error.empty()        ? error
                   : WIFSIGNALED(status) ? fmt::format("the worker process was ended by signal {}", WTERMSIG(status))
                                         : fmt::format("the worker process ended with status {}", WEXITSTATUS(status));
    const Job job = std::move(jobs.front());
    jobs.pop_front();
    (*take_)(job, result);
  }
  for (auto& job : jobs) again_.push_back(std::move(job));
  restart(worker);
}

void Pool::restart(Worker& worker) {
  const auto process = start_worker(evaluator_);
  if (!process) throw std::runtime_error("no worker process can be started");
  worker.process = *process;
}

void Pool::end(Worker& worker) {
  if (worker.process.pid < 0) return;
  ::close(worker.process.socket);
  ::kill(-worker.process.pid, SIGKILL);
  while (::waitpid(worker.process.pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  worker.process = {};
  worker.jobs.clear();
}

}  // namespace archsim
