// NSGA-II over a plan: what it varies, and that it finds fronts that are known.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sweep/analyse/front.h"
#include "sweep/sample/source.h"
#include "sweep/search/genome.h"
#include "sweep/search/nsga2.h"
#include "tests/sweep/plan_text.h"

namespace archsim {
namespace {

using testing::ElementsAre;

TEST(Genome, OrderedAxesAreNumbersAndOthersAreChoices) {
  const Plan plan = plan_of(
      "axes:\n  npu.dataflows: [[weight_stationary], [output_stationary], [weight_stationary, output_stationary]]\n"
      "  npu.rows: [16, 32, 64]\n  npu.cols: {follows: npu.rows}\n  l2.banks: [8]\n  dram.channels: [16, 8]\n");
  const Genome genome(plan);
  EXPECT_EQ(genome.size(), 3U) << "one follows, one has one value";
  EXPECT_EQ(genome.whole(), 1U);
  EXPECT_THAT(genome.high(), ElementsAre(3.0, 2.0, 2.0)) << "rows and channels in stretches of 1, then the last choice";
  const std::vector<double> inside{1.999, 0.0, 2.0}, ends{3.0, 2.0, 0.0};
  EXPECT_THAT(genome.point(inside.data()), ElementsAre(2, 1, kNoValue, 0, 0));
  EXPECT_THAT(genome.point(ends.data()), ElementsAre(0, 2, kNoValue, 0, 1));
}

/// 32 x 32 points and a choice whose second value only makes things worse; the front is known: choice a, rows + cols = 33.
std::string known_space(int seed) {
  return "axes:\n  npu.rows: {from: 1, to: 32, step: 1}\n  npu.cols: {from: 1, to: 32, step: 1}\n"
         "  npu.dataflows: [[output_stationary], [weight_stationary]]\n"
         "objectives: [latency, energy]\nstrategy: {name: nsga2, population: 40, generations: 40}\nseed: " +
         std::to_string(seed) + "\nset: {tech: n7}\n";
}

PointResult known_result(const Space& space, const Point& point) {
  const auto numbers = space.numbers(point);
  const double penalty = point[2] == 1 ? 1.0 : 0.0, off = std::abs(numbers[0] + numbers[1] - 33.0);
  PointResult result;
  result.status = PointStatus::done;
  result.metrics[Metric::latency] = numbers[0] + off + penalty;
  result.metrics[Metric::energy] = numbers[1] + off + penalty;
  return result;
}

struct Found {
  std::vector<Point> points;
  std::vector<Goals> goals;
};

Found searched(const Plan& plan) {
  const Space space(plan);
  Found found;
  search_nsga2(space, [&](const std::vector<Point>& points) {
    std::vector<PointResult> results;
    for (const auto& point : points) {
      results.push_back(known_result(space, point));
      found.points.push_back(point);
      found.goals.push_back({results.back().metrics[Metric::latency], results.back().metrics[Metric::energy]});
    }
    return results;
  });
  return found;
}

double volume_of(const std::vector<Goals>& goals) {
  std::vector<Goals> front;
  for (const auto i : front_of(goals)) front.push_back(goals[i]);
  return hypervolume(front, {66.0, 66.0});
}

TEST(Nsga2, FindsAKnownFrontWithAPartOfThePoints) {
  std::vector<Goals> known;
  for (int rows = 1; rows <= 32; ++rows) known.push_back({static_cast<double>(rows), static_cast<double>(33 - rows)});
  const auto found = searched(plan_of(known_space(1)));
  EXPECT_LT(found.points.size(), 1000U) << "of 2048";
  EXPECT_LE(volume_of(found.goals), volume_of(known));
  EXPECT_GT(volume_of(found.goals), 0.97 * volume_of(known));
}

TEST(Nsga2, AsksForEachPointOnceAndDependsOnTheSeedAlone) {
  const auto one = searched(plan_of(known_space(1))), again = searched(plan_of(known_space(1))),
             other = searched(plan_of(known_space(2)));
  EXPECT_EQ(one.points, again.points);
  EXPECT_NE(one.points, other.points);
  EXPECT_EQ(std::set<Point>(one.points.begin(), one.points.end()).size(), one.points.size());
}

TEST(Nsga2, EachParamChangesTheSearch) {
  const auto plain = searched(plan_of(known_space(1)));
  for (const std::string changed :
       {"population: 44, generations: 40", "population: 40, generations: 41",
        "population: 40, generations: 40, crossover: 0.5", "population: 40, generations: 40, mutation: 0.05"}) {
    std::string text = known_space(1);
    const std::string from = "population: 40, generations: 40";
    text.replace(text.find(from), from.size(), changed);
    EXPECT_NE(searched(plan_of(text)).points, plain.points) << changed;
  }
}

TEST(Nsga2, PointsThatBreakConstraintsAreNotTheFront) {
  const Plan plan = plan_of(
      "set: {tech: n7}\naxes:\n  npu.rows: {from: 1, to: 32, step: 1}\n  npu.cols: {from: 1, to: 32, step: 1}\n"
      "  l2.banks: {values: [4, 8], when: npu.rows > 16}\n"
      "constraints: [npu.cols <= 24, latency >= 8]\nobjectives: [latency, energy]\n"
      "strategy: {name: nsga2, population: 40, generations: 40}\n");
  const Space space(plan);
  std::vector<Goals> feasible;
  search_nsga2(space, [&](const std::vector<Point>& points) {
    std::vector<PointResult> results;
    for (const auto& point : points) {
      const auto numbers = space.numbers(point);
      EXPECT_LE(numbers[1], 24.0) << "constraints of axes alone are met beforehand";
      EXPECT_EQ(point[2] == kNoValue, numbers[0] <= 16.0);
      const double off = std::abs(numbers[0] + numbers[1] - 33.0);
      PointResult result;
      result.metrics[Metric::latency] = numbers[0] + off;
      result.metrics[Metric::energy] = numbers[1] + off;
      result.status = PointStatus::done;
      judge(space, point, result);
      if (result.status == PointStatus::done) feasible.push_back({numbers[0] + off, numbers[1] + off});
      results.push_back(result);
    }
    return results;
  });
  std::vector<Goals> known;  // rows of at least 9, for columns of at most 24
  for (int rows = 9; rows <= 32; ++rows) known.push_back({static_cast<double>(rows), static_cast<double>(33 - rows)});
  EXPECT_LE(volume_of(feasible), volume_of(known));
  EXPECT_GT(volume_of(feasible), 0.97 * volume_of(known));
}

/// 480 machines at roofline.
std::string machines(const std::string& strategy) {
  return "set: {tech: n7}\nfidelity: roofline\naxes:\n  dram.channels: [4, 8, 16]\n  l2.capacity: {from: 1 MiB, to: 16 "
         "MiB, factor: 2}\n"
         "  npu.rows, npu.cols: [8, 16, 32, 64, 128, [32, 64], [64, 32], [64, 128]]\n"
         "  clocks.npu: {from: 0.6 GHz, to: 1.2 GHz, step: 200 MHz}\nobjectives: [latency, energy, area]\n" +
         strategy;
}

constexpr auto kSmall =
    "workload: {file: traces/workloads/tiny.yaml, set: {width: 512, mlp: 2048, tokens: 256, layers: 1, steps: 1}}\n";

TEST(Nsga2, FindsTheFrontOfMachines) {
  const Plan all_plan = plan_of(machines(""), kSmall),
             plan =
                 plan_of(machines("strategy: {name: nsga2, population: 24, generations: 20, mutation: 0.3}\n"), kSmall);
  Evaluator evaluator(all_plan);
  const auto goals_of = [&](const Point& point) {
    const auto result = evaluator.evaluate(point);
    EXPECT_EQ(result.status, PointStatus::done) << result.error;
    return Goals{result.metrics[Metric::latency], result.metrics[Metric::energy], result.metrics[Metric::area]};
  };
  std::vector<Goals> all, found;
  const Space all_space(all_plan), space(plan);
  for (const auto source = make_source(all_space); const auto point = source->next();) all.push_back(goals_of(*point));
  ASSERT_EQ(all.size(), 480U);
  search_nsga2(space, [&](const std::vector<Point>& points) {
    std::vector<PointResult> results;
    for (const auto& point : points) {
      results.push_back(evaluator.evaluate(point));
      found.push_back(goals_of(point));
    }
    return results;
  });
  Goals reference(3, 0.0);
  for (const auto& goals : all) {
    for (std::size_t d = 0; d < 3; ++d) reference[d] = std::max(reference[d], goals[d]);
  }
  const auto volume = [&](const std::vector<Goals>& points) {
    std::vector<Goals> front;
    for (const auto i : front_of(points)) front.push_back(points[i]);
    return hypervolume(front, reference);
  };
  EXPECT_LT(found.size(), 300U);
  EXPECT_LE(volume(found), volume(all));
  EXPECT_GT(volume(found), 0.98 * volume(all));
}

}  // namespace
}  // namespace archsim
