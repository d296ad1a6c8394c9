#include "sweep/run/runner.h"

#include <chrono>

#include "sweep/run/driver.h"

namespace archsim {

SweepCounts run_sweep(const Plan& plan, const SweepOptions& options) {
  Driver driver(plan, options);
  driver.run(*make_source(driver.space()));
  return driver.finish();
}

double seconds_a_point(const Plan& plan) {
  using Clock = std::chrono::steady_clock;
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
  return points == 0 ? 0.0 : std::chrono::duration<double>(Clock::now() - start).count() / points;
}

}  // namespace archsim
