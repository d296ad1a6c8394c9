#include "sweep/run/runner.h"

#include <algorithm>
#include <chrono>

#include "sweep/drive/driver.h"
#include "sweep/search/nsga2.h"
#include "sweep/search/refine.h"

namespace archsim {

namespace {

struct Interrupted {};

void search(const Plan& plan, Driver& driver) {
  std::uint64_t id = 0;
  const auto evaluate = [&](const std::vector<Point>& points) {
    std::vector<Asked> asked;
    asked.reserve(points.size());
    for (const auto& point : points) asked.push_back({++id, point});
    auto results = driver.results_of(asked, plan.fidelity);
    if (!results) throw Interrupted{};
    return *std::move(results);
  };
  try {
    search_nsga2(driver.space(), evaluate);
  } catch (const Interrupted&) {  // finish() tells
  }
}

}  // namespace

SweepCounts run_sweep(const Plan& plan, const SweepOptions& options) {
  Driver driver(plan, options);
  if (plan.strategy.kind == StrategyKind::nsga2) {
    search(plan, driver);
    return driver.finish();
  }
  const auto source = make_source(driver.space());
  if (!plan.is_refined) {
    driver.run(*source);
    return driver.finish();
  }
  const auto refined = refine(driver.space(), *source, driver);
  SweepCounts counts = driver.finish();
  if (refined) {
    counts.bounded = refined->bounded;
    counts.infeasible += refined->infeasible;
  }
  return counts;
}

std::vector<Point> first_points(const Space& space, std::size_t most) {
  std::vector<Point> points;
  if (space.plan().strategy.kind == StrategyKind::nsga2) {
    const auto stop = [&](const std::vector<Point>& first) -> std::vector<PointResult> {
      points = first;
      throw Interrupted{};
    };
    try {
      search_nsga2(space, stop);
    } catch (const Interrupted&) {
      points.resize(std::min(points.size(), most));
    }
    return points;
  }
  const auto source = make_source(space);
  while (points.size() < most) {
    auto point = source->next();
    if (!point) break;
    points.push_back(*std::move(point));
  }
  return points;
}

double seconds_a_point(const Plan& plan) {
  using Clock = std::chrono::steady_clock;
  const Space space(plan);
  Evaluator evaluator(plan);
  evaluator.warm_up();
  const auto points = first_points(space, plan.fidelity == Fidelity::roofline ? 5 : 1);
  // The first one alone loads what the others share.
  const auto start = Clock::now();
  for (const auto& point : points) evaluator.evaluate(point);
  const double took = std::chrono::duration<double>(Clock::now() - start).count();
  return points.empty() ? 0.0 : took / static_cast<double>(points.size());
}

}  // namespace archsim
