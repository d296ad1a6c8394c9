// Successive refinement: bounds are bounds, the front survives, and nothing is simulated that need not be.
#include "sweep/search/refine.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <random>

#include "sweep/analyse/front.h"
#include "sweep/space/bounds.h"
#include "tests/sweep/plan_text.h"

namespace archsim {
namespace {

constexpr auto kSmall =
    "workload: {file: traces/workloads/tiny.yaml, set: {width: 512, mlp: 2048, tokens: 256, layers: 1, steps: 1}}\n";

TEST(Bounds, HoldOnRandomMachines) {
  const Plan plan = plan_of(
      "set: {tech: n7, placement: {}}\nfidelity: full\naxes:\n  dram.channels: [4, 8, 16]\n  l2.capacity: {from: 1 "
      "MiB, to: 16 MiB, factor: 2}\n"
      "  npu.rows: [8, 16, 32, 64, 128]\n  npu.cols: [8, 16, 32, 64, 128]\n  clocks.npu: [0.6 GHz, 1 GHz, 1.3 GHz]\n"
      "  npu.dataflows: [[weight_stationary], [output_stationary]]\n  npu.count: [1, 2, 4]\n"
      "strategy: {name: random, samples: 24}\n",
      kSmall);
  Evaluator evaluator(plan);
  const Space space(plan);
  int compared = 0;
  for (const auto source = make_source(space); const auto point = source->next();) {
    const auto bound = evaluator.evaluate(*point, Fidelity::roofline),
               real = evaluator.evaluate(*point, Fidelity::full);
    if (real.status != PointStatus::done) continue;
    ++compared;
    for (const auto& info : all_metrics()) {
      const double low = bound.metrics[info.metric], is = real.metrics[info.metric];
      switch (sense_of(info.metric, Fidelity::roofline)) {
        case Sense::exact:
          EXPECT_EQ(low, is) << info.name;
          break;
        case Sense::at_least:
          EXPECT_GE(is, low) << info.name;
          break;
        case Sense::at_most:
          EXPECT_LE(is, low) << info.name;
          break;
        case Sense::unknown:
          EXPECT_EQ(info.metric, Metric::average_power_w);
      }
    }
  }
  EXPECT_GE(compared, 20);
}

/// A made-up machine: the true latency and energy of a point, and bounds some way below them.
class MadeUp final : public Trials {
 public:
  MadeUp(const Space& space, unsigned seed) : space_(space), random_(seed) {}

  std::optional<std::vector<PointResult>> results_of(const std::vector<Asked>& points, Fidelity fidelity) override {
    std::vector<PointResult> results;
    for (const auto& asked : points) {
      const Truth& truth = truth_of(asked.point);
      PointResult result;
      result.status = fidelity == Fidelity::full ? PointStatus::done : PointStatus::bounded;
      const bool is_full = fidelity == Fidelity::full;
      result.metrics[Metric::latency] = is_full ? truth.latency : truth.latency_bound;
      result.metrics[Metric::energy] = is_full ? truth.energy : truth.energy_bound;
      if (is_full) {
        simulated.push_back(asked.point);
        judge(space_, asked.point, result);
      }
      results.push_back(result);
    }
    return results;
  }
  bool has_result(const Point& point, Fidelity fidelity) override {
    return fidelity == Fidelity::full && std::find(before.begin(), before.end(), point) != before.end();
  }
  void settle(const Asked& asked, const PointResult& result, Fidelity) override {
    EXPECT_EQ(result.status, PointStatus::infeasible);
    settled.push_back(asked.point);
  }
  void expect(std::uint64_t) override {}

  struct Truth {
    double latency, energy, latency_bound, energy_bound;
  };
  const Truth& truth_of(const Point& point) {
    const auto found = truths_.find(point);
    if (found != truths_.end()) return found->second;
    // Whole numbers, so that points tie.
    const auto number = [&](int low, int high) {
      return static_cast<double>(low + static_cast<int>(random_() % static_cast<unsigned>(high - low + 1)));
    };
    const double latency = number(10, 60), energy = number(10, 60);
    return truths_[point] = {latency, energy, latency - number(0, 8), energy - number(0, 8)};
  }

  std::vector<Point> simulated, settled, before;

 private:
  const Space& space_;
  std::mt19937 random_;
  std::map<Point, Truth> truths_;
};

std::vector<Point> all_points(const Space& space) {
  std::vector<Point> all;
  for (const auto source = make_source(space); const auto point = source->next();) all.push_back(*point);
  return all;
}

Plan made_up_plan(const std::string& more = "") {
  return plan_of(
      "set: {tech: n7}\nfidelity: refine\naxes:\n  npu.rows: {from: 1, to: 20, step: 1}\n"
      "  npu.cols: {from: 1, to: 20, step: 1}\nobjectives: [latency, energy]\n" +
      more);
}

TEST(Refine, SimulatesExactlyThePointsThatNoTrueFrontLeavesOut) {
  const Plan plan = made_up_plan();
  const Space space(plan);
  for (unsigned seed = 1; seed <= 40; ++seed) {
    MadeUp trials(space, seed);
    const auto report = refine(space, *make_source(space), trials);
    ASSERT_TRUE(report);
    std::vector<Goals> truths;
    const auto all = all_points(space);
    for (const auto& point : all) truths.push_back({trials.truth_of(point).latency, trials.truth_of(point).energy});
    std::vector<Goals> front;
    for (const auto i : front_of(truths)) {
      front.push_back(truths[i]);
      EXPECT_THAT(trials.simulated, testing::Contains(all[i])) << "of the front, seed " << seed;
    }
    std::vector<Point> needed;
    for (const auto& point : all) {
      const Goals bound{trials.truth_of(point).latency_bound, trials.truth_of(point).energy_bound};
      if (std::none_of(front.begin(), front.end(), [&](const Goals& goals) { return dominates(goals, bound); }))
        needed.push_back(point);
    }
    EXPECT_THAT(trials.simulated, testing::UnorderedElementsAreArray(needed)) << "seed " << seed;
    EXPECT_EQ(report->simulated, needed.size());
    EXPECT_EQ(report->simulated + report->bounded, 400U);
    EXPECT_LT(report->simulated, 200U) << "bounds are good enough to leave out half";
  }
}

TEST(Refine, APointThatCannotMeetALimitIsNotSimulatedAndBeatsNobody) {
  const Plan plan = made_up_plan("constraints: [latency <= 30, energy >= 25]\n");
  const Space space(plan);
  MadeUp trials(space, 5);
  const auto report = refine(space, *make_source(space), trials);
  ASSERT_TRUE(report);
  std::vector<Goals> feasible;
  std::vector<Point> points;
  std::uint64_t hopeless = 0;
  for (const auto& point : all_points(space)) {
    const auto& truth = trials.truth_of(point);
    hopeless += truth.latency_bound > 30.0 ? 1 : 0;
    if (truth.latency > 30.0 || truth.energy < 25.0) continue;
    feasible.push_back({truth.latency, truth.energy});
    points.push_back(point);
  }
  for (const auto i : front_of(feasible)) EXPECT_THAT(trials.simulated, testing::Contains(points[i]));
  EXPECT_EQ(report->infeasible, hopeless) << "energy has no bound above, so `energy >= 25` says nothing beforehand";
  EXPECT_EQ(trials.settled.size(), hopeless);
  EXPECT_EQ(report->simulated + report->bounded + report->infeasible, 400U);
}

TEST(Refine, WhatWasSimulatedBeforeNeedsNoBounds) {
  const Plan plan = made_up_plan();
  const Space space(plan);
  MadeUp first(space, 9);
  ASSERT_TRUE(refine(space, *make_source(space), first));
  MadeUp again(space, 9);
  again.before = first.simulated;
  const auto report = refine(space, *make_source(space), again);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->simulated + report->bounded, 400U);
}

}  // namespace
}  // namespace archsim
