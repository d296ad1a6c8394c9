// Worker processes that share a queue of points. A point that takes a worker down, or takes too long, fails alone.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <vector>

#include "sweep/run/worker.h"

namespace archsim {

class Pool {
 public:
  struct Options {
    unsigned workers = 1;
    /// Points that a worker has at hand; more than one hides the way to the driver and back.
    unsigned queue = 1;
    std::chrono::duration<double> timeout{600.0};
  };

  Pool(Evaluator& evaluator, const Options& options);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  using Next = std::function<std::optional<Job>()>;
  using Take = std::function<void(const Job&, const PointResult&)>;
  /// Until `next` has no more and all are answered, or `is_over` says so: then workers are ended, points in flight are lost.
  /// `idle` is called now and then.
  void run(const Next& next, const Take& take, const std::function<bool()>& is_over, const std::function<void()>& idle);

  /// From the next run on.
  void set_queue(unsigned queue) { options_.queue = queue; }

  std::vector<pid_t> pids() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Worker {
    WorkerProcess process;
    std::deque<Job> jobs;
    Clock::time_point since;  // the first of them began
  };

  bool refill(Worker& worker);
  void collect(Worker& worker);
  void fail_first(Worker& worker, const std::string& error);
  void restart(Worker& worker);
  void end(Worker& worker);
  void wait();

  Evaluator& evaluator_;
  Options options_;
  std::vector<Worker> workers_;
  std::deque<Job> again_;  // of workers that were lost
  const Next* next_ = nullptr;
  const Take* take_ = nullptr;
  bool has_more_ = true;
};

}  // namespace archsim
