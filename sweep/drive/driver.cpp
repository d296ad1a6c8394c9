#include "sweep/drive/driver.h"

#include <algorithm>

namespace archsim {
namespace {

// Often enough that an end without warning loses little, seldom enough to cost nothing.
constexpr std::chrono::milliseconds kBetweenCommits{50};
constexpr std::chrono::milliseconds kBetweenReports{200};
constexpr unsigned kQueue = 8;  // of points that take a millisecond

unsigned queue_at(Fidelity fidelity) { return fidelity == Fidelity::roofline ? kQueue : 1U; }

Pool::Options pool_options(const Plan& plan, unsigned jobs) {
  return {std::max(jobs, 1U), queue_at(plan.fidelity), std::chrono::duration<double>(seconds(plan.timeout))};
}

}  // namespace

Driver::Driver(const Plan& plan, const SweepOptions& options)
    : plan_(plan),
      options_(options),
      space_(plan),
      digest_(plan, options.version, plan.fidelity),
      evaluator_(plan),
      // Workers are forked while this process is small and has no database open.
      pool_((evaluator_.warm_up(), evaluator_), pool_options(plan, options.jobs)),
      store_(options.folder, plan, options.version) {
  counts_.total = static_cast<std::uint64_t>(count_points(space_).points);
}

const PointDigest& Driver::digest_at(Fidelity fidelity) {
  if (fidelity == plan_.fidelity) return digest_;
  if (!bound_digest_) bound_digest_.emplace(plan_, options_.version, fidelity);
  return *bound_digest_;
}

void Driver::run(PointSource& source) {
  pool_.run([&] { return next(source); }, [&](const Job& job, const PointResult& result) { take(job, result); },
            options_.is_interrupted, [&] { tick(); });
}

std::optional<std::vector<PointResult>> Driver::results_of(const std::vector<Asked>& points, Fidelity fidelity) {
  std::vector<PointResult> results(points.size());
  std::size_t at = 0;
  const auto next_asked = [&]() -> std::optional<Job> {
    while (at < points.size()) {
      const Asked& asked = points[at];
      PointResult& result = results[at++];
      std::string digest = digest_at(fidelity)(space_.variant(asked.point));
      if (auto row = row_or_known(asked.point, asked.id, digest, fidelity)) {
        result = *std::move(row);
        ++counts_.kept;
        continue;
      }
      under_way_[asked.id] = {std::move(digest), fidelity, &result};
      return Job{asked.id, asked.point, fidelity};
    }
    return {};
  };
  pool_.set_queue(queue_at(fidelity));
  pool_.run(
      next_asked, [&](const Job& job, const PointResult& result) { take(job, result); }, options_.is_interrupted,
      [&] { tick(); });
  if (options_.is_interrupted()) return {};
  return results;
}

bool Driver::has_result(const Point& point, Fidelity fidelity) {
  return store_.row(digest_at(fidelity)(space_.variant(point))).has_value();
}

void Driver::settle(const Asked& asked, const PointResult& result, Fidelity fidelity) {
  store_.add(space_, asked.point, {asked.id, digest_at(fidelity)(space_.variant(asked.point)), result, fidelity});
}

SweepCounts Driver::finish() {
  store_.commit();
  counts_.is_interrupted = options_.is_interrupted();
  if (!counts_.is_interrupted) store_.finish();
  if (!counts_.is_interrupted) counts_.total = counts_.run + counts_.kept;
  counts_.seconds = std::chrono::duration<double>(Clock::now() - started_).count();
  options_.on_progress(counts_);
  return counts_;
}

std::optional<Job> Driver::next(PointSource& source) {
  while (auto point = source.next()) {
    std::string digest = digest_(space_.variant(*point));
    if (!listed_.emplace(digest, 0).second) continue;  // came before
    const std::uint64_t id = ++last_id_;
    if (store_.has_row(digest)) {
      ++counts_.kept;
      continue;
    }
    if (row_or_known(*point, id, digest, plan_.fidelity)) {
      ++counts_.kept;
      continue;
    }
    under_way_[id] = {std::move(digest), plan_.fidelity, nullptr};
    return Job{id, *std::move(point), plan_.fidelity};
  }
  return {};
}

/// A result that was there before; one of an earlier plan gets its row.
std::optional<PointResult> Driver::row_or_known(const Point& point, std::uint64_t id, const std::string& digest,
                                                Fidelity fidelity) {
  if (auto row = store_.row(digest)) return row;
  auto known = store_.known(digest);
  if (!known) return {};
  if (fidelity == plan_.fidelity) {
    judge(space_, point, *known);
  } else {
    known->status = PointStatus::bounded;
    known->error.clear();
  }
  store_.add(space_, point, {id, digest, *known, fidelity});
  return known;
}

void Driver::take(const Job& job, const PointResult& result) {
  const auto found = under_way_.find(job.id);
  UnderWay& entry = found->second;
  PointResult taken = result;
  if (entry.fidelity != plan_.fidelity && taken.status != PointStatus::failed) {
    taken.status = PointStatus::bounded;
    taken.error.clear();
  }
  store_.add(space_, job.point, {job.id, entry.digest, taken, entry.fidelity});
  ++counts_.run;
  if (taken.status == PointStatus::failed) ++counts_.failed;
  if (taken.status == PointStatus::infeasible) ++counts_.infeasible;
  if (entry.result != nullptr) *entry.result = std::move(taken);
  under_way_.erase(found);
}

void Driver::tick() {
  const auto now = Clock::now();
  if (now - committed_ >= kBetweenCommits) {
    store_.commit();
    committed_ = now;
  }
  if (now - reported_ < kBetweenReports) return;
  reported_ = now;
  counts_.seconds = std::chrono::duration<double>(now - started_).count();
  options_.on_progress(counts_);
}

}  // namespace archsim
