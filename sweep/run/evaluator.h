// What a point comes to: its machine, its traces, and the answer of the fidelity that the plan asks for.
#pragma once

#include <memory>
#include <string>

#include "sweep/space/space.h"
#include "sweep/terms/metrics.h"

namespace archsim {

/// bounded: the numbers are bounds, and enough to know that the point is beaten; or it has not been simulated yet.
enum class PointStatus : std::uint8_t { done, infeasible, failed, bounded };
std::string_view name_of(PointStatus status);

struct PointResult {
  PointStatus status = PointStatus::failed;
  std::string error;  // of a failed point; which constraint an infeasible one breaks
  Metrics metrics;
};

/// Keeps the traces that points share.
class Evaluator {
 public:
  /// The plan must outlive it.
  explicit Evaluator(const Plan& plan);
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  /// Simulations run in a process of their own; it is killed after the plan's timeout.
  PointResult evaluate(const Point& settled, Fidelity fidelity);
  /// At the plan's fidelity.
  PointResult evaluate(const Point& settled);
  /// Loads what all points share, so that processes forked later have it.
  void warm_up();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Those that the metrics break; constraints of axes alone are not looked at.
std::vector<const Constraint*> broken_constraints(const Space& space, const Point& settled, const Metrics& metrics);
/// By Plan::names().
std::vector<double> numbers_with(const Space& space, const Point& settled, const Metrics& metrics);
/// Fills in whether the point meets the plan's constraints.
void judge(const Space& space, const Point& settled, PointResult& result);

}  // namespace archsim
