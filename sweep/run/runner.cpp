#include "sweep/run/runner.h"

#include <algorithm>
#include <chrono>

#include "sweep/run/digest.h"
#include "sweep/run/pool.h"
#include "sweep/sample/source.h"
#include "sweep/store/store.h"

namespace archsim {
namespace {

using Clock = std::chrono::steady_clock;

// Often enough that an end without warning loses little, seldom enough to cost nothing.
constexpr std::chrono::milliseconds kBetweenCommits{50};
constexpr std::chrono::milliseconds kBetweenReports{200};
constexpr unsigned kQueue = 8;  // of points that take a millisecond

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

Pool::Options pool_options(const Plan& plan, unsigned jobs) {
  const double margin = plan.fidelity == Fidelity::roofline ? kQueue : 1.0;
  return {std::max(jobs, 1U), static_cast<unsigned>(margin), std::chrono::duration<double>(seconds(plan.timeout))};
}

class Runner {
 public:
  Runner(const Plan& plan, const SweepOptions& options)
      : options_(options),
        space_(plan),
        digest_(plan, options.version),
        evaluator_(plan),
        // Workers are forked while this process is small and has no database open.
        pool_((evaluator_.warm_up(), evaluator_), pool_options(plan, options.jobs)),
        store_(options.folder, plan, options.version) {
    counts_.total = static_cast<std::uint64_t>(count_points(space_).points);
  }

  SweepCounts run(PointSource& source) {
    pool_.run([&] { return next(source); }, [&](const Job& job, const PointResult& result) { take(job, result); },
              options_.is_interrupted, [&] { tick(); });
    store_.commit();
    counts_.is_interrupted = options_.is_interrupted();
    if (!counts_.is_interrupted) store_.finish();
    if (!counts_.is_interrupted) counts_.total = counts_.run + counts_.kept;
    counts_.seconds = seconds_since(started_);
    options_.on_progress(counts_);
    return counts_;
  }

 private:
  std::optional<Job> next(PointSource& source) {
    while (auto point = source.next()) {
      const std::string digest = digest_(space_.variant(*point));
      if (!listed_.emplace(digest, 0).second) continue;  // came before
      const std::uint64_t id = ++last_id_;
      if (store_.has_row(digest)) {
        ++counts_.kept;
        continue;
      }
      if (auto known = store_.known(digest)) {
        judge(space_, *point, *known);
        store_.add(space_, *point, {id, digest, *known});
        ++counts_.kept;
        continue;
      }
      under_way_[id] = digest;
      return Job{id, *std::move(point)};
    }
    return {};
  }

  void take(const Job& job, const PointResult& result) {
    const auto digest = under_way_.find(job.id);
    store_.add(space_, job.point, {job.id, digest->second, result});
    under_way_.erase(digest);
    ++counts_.run;
    if (result.status == PointStatus::failed) ++counts_.failed;
    if (result.status == PointStatus::infeasible) ++counts_.infeasible;
  }

  void tick() {
    const auto now = Clock::now();
    if (now - committed_ >= kBetweenCommits) {
      store_.commit();
      committed_ = now;
    }
    if (now - reported_ < kBetweenReports) return;
    reported_ = now;
    counts_.seconds = seconds_since(started_);
    options_.on_progress(counts_);
  }

  const SweepOptions& options_;
  Space space_;
  PointDigest digest_;
  Evaluator evaluator_;
  Pool pool_;
  Store store_;
  SweepCounts counts_;
  std::uint64_t last_id_ = 0;
  std::unordered_map<std::string, char> listed_;
  std::unordered_map<std::uint64_t, std::string> under_way_;
  Clock::time_point started_ = Clock::now(), committed_ = started_, reported_ = started_;
};

}  // namespace

SweepCounts run_sweep(const Plan& plan, const SweepOptions& options) {
  Runner runner(plan, options);
  const Space space(plan);
  const auto source = make_source(space);
  return runner.run(*source);
}

double seconds_a_point(const Plan& plan) {
  const Space space(plan);
  Evaluator evaluator(plan);
  evaluator.warm_up();
  const auto source = make_source(space);
  const auto start = Clock::now();
  int points = 0;
  // The first one alone loads what the others share.
  for (const int most = plan.fidelity == Fidelity::roofline ? 5 : 1; points < most; ++points) {
    const auto point = source->next();
    if (!point) break;
    evaluator.evaluate(*point);
  }
  return points == 0 ? 0.0 : seconds_since(start) / points;
}

}  // namespace archsim
