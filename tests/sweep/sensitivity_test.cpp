// Sensitivity beside closed forms: the Ishigami function, a linear model, and a product.
#include "sweep/analyse/sensitivity.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "sweep/sample/source.h"
#include "tests/sweep/plan_text.h"

namespace archsim {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// Results of `y` at points of `axes` axes; a place is `values[axis][index]`.
Results results_at(const std::vector<std::vector<double>>& values, const std::vector<std::vector<std::size_t>>& points,
                   const std::function<double(const std::vector<double>&)>& y) {
  Results results;
  for (std::size_t a = 0; a < values.size(); ++a) {
    results.axes.push_back("x" + std::to_string(a + 1));
    results.free.push_back({results.axes.back()});
  }
  results.metrics = {"y"};
  for (const auto& point : points) {
    std::vector<double> x;
    ResultRow row;
    for (std::size_t a = 0; a < values.size(); ++a) {
      x.push_back(values[a][point[a]]);
      row.axes.push_back(std::to_string(x.back()));
    }
    row.id = results.rows.size() + 1;
    row.metrics = {y(x)};
    row.status = "done";
    results.rows.push_back(row);
  }
  return results;
}

std::vector<std::vector<std::size_t>> whole_grid(const std::vector<std::vector<double>>& values) {
  std::vector<std::vector<std::size_t>> points{{}};
  for (const auto& axis : values) {
    std::vector<std::vector<std::size_t>> longer;
    for (const auto& point : points) {
      for (std::size_t i = 0; i < axis.size(); ++i) {
        longer.push_back(point);
        longer.back().push_back(i);
      }
    }
    points = longer;
  }
  return points;
}

const AxisEffect& effect(const Sensitivity& found, const std::string& axis) {
  for (const auto& each : found.effects) {
    if (each.axis == axis) return each;
  }
  ADD_FAILURE() << "no axis " << axis;
  return found.effects.front();
}

/// The middles of `n` equal parts of -pi..pi.
std::vector<double> parts_of_circle(std::size_t n) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i)
    values.push_back(kPi * ((2.0 * static_cast<double>(i) + 1.0) / static_cast<double>(n) - 1.0));
  return values;
}

constexpr double kA = 7.0, kB = 0.1;
double ishigami(const std::vector<double>& x) {
  return std::sin(x[0]) + kA * std::pow(std::sin(x[1]), 2) + kB * std::pow(x[2], 4) * std::sin(x[0]);
}

/// Ishigami 1990; variances by term as in Saltelli 2000, "Sensitivity analysis", appendix.
struct IshigamiIndices {
  double v1 = 0.5 * std::pow(1.0 + kB * std::pow(kPi, 4) / 5.0, 2), v2 = kA * kA / 8.0,
         v13 = kB * kB * std::pow(kPi, 8) * (1.0 / 18.0 - 1.0 / 50.0), all = v1 + v2 + v13;
};

TEST(Sensitivity, OfAWholeGridIsThatOfTheIshigamiFunction) {
  const auto circle = parts_of_circle(48);
  const std::vector<std::vector<double>> values(3, circle);
  const auto found = sensitivity(results_at(values, whole_grid(values), ishigami), 0);
  const IshigamiIndices is;
  EXPECT_TRUE(found.is_whole_grid);
  // Sines over a whole circle are summed exactly; the fourth power by the middles of 48 parts is off by 1e-3.
  EXPECT_NEAR(found.deviation, std::sqrt(is.all), 5e-3);
  EXPECT_NEAR(effect(found, "x1").first, is.v1 / is.all, 2e-3);
  EXPECT_NEAR(effect(found, "x2").first, is.v2 / is.all, 2e-3);
  EXPECT_NEAR(effect(found, "x3").first, 0.0, 1e-9);
  EXPECT_NEAR(effect(found, "x1").total, (is.v1 + is.v13) / is.all, 2e-3);
  EXPECT_NEAR(effect(found, "x2").total, is.v2 / is.all, 2e-3);
  EXPECT_NEAR(effect(found, "x3").total, is.v13 / is.all, 2e-3);
  EXPECT_EQ(found.effects.front().axis, "x1");
}

/// The points of strategy `radial` over three axes of 20 values.
std::vector<std::vector<std::size_t>> radial_points(int samples) {
  const Plan plan = plan_of(
      "axes:\n  npu.rows: {from: 1, to: 20, step: 1}\n  npu.cols: {from: 1, to: 20, step: 1}\n"
      "  npu.vector_lanes: {from: 1, to: 20, step: 1}\nstrategy: {name: radial, samples: " +
      std::to_string(samples) + "}\n");
  const Space space(plan);
  std::vector<std::vector<std::size_t>> points;
  std::set<Point> seen;
  for (const auto source = make_source(space); const auto point = source->next();) {
    if (seen.insert(*point).second) points.emplace_back(point->begin(), point->end());
  }
  return points;
}

TEST(Sensitivity, OfRadialSamplesComesNearTheIshigamiFunctions) {
  const std::vector<std::vector<double>> values(3, parts_of_circle(20));
  const auto points = radial_points(1000);
  EXPECT_LT(points.size(), 4001U);
  const auto found = sensitivity(results_at(values, points, ishigami), 0);
  const auto whole = sensitivity(results_at(values, whole_grid(values), ishigami), 0);
  EXPECT_FALSE(found.is_whole_grid);
  for (const char* axis : {"x1", "x2", "x3"}) {
    // A thousand pairs: a standard error of some hundredths.
    EXPECT_NEAR(effect(found, axis).total, effect(whole, axis).total, 0.06) << axis;
    EXPECT_TRUE(std::isnan(effect(found, axis).first)) << "of whole grids only";
  }
}

TEST(Sensitivity, OfALinearModelIsItsCoefficients) {
  const std::vector<std::vector<double>> values{{0, 1, 2, 3, 4}, {0, 2}, {10, 11, 12}};
  const auto y = [](const std::vector<double>& x) { return 3.0 * x[0] - 5.0 * x[1] + 0.0 * x[2] + 100.0; };
  const auto found = sensitivity(results_at(values, whole_grid(values), y), 0);
  // Variances: 9 * 2 and 25 * 1.
  EXPECT_NEAR(effect(found, "x1").first, 18.0 / 43.0, 1e-12);
  EXPECT_NEAR(effect(found, "x2").first, 25.0 / 43.0, 1e-12);
  EXPECT_NEAR(effect(found, "x1").total, 18.0 / 43.0, 1e-12);
  EXPECT_NEAR(effect(found, "x3").total, 0.0, 1e-12);
  EXPECT_NEAR(effect(found, "x1").mean, 12.0, 1e-12) << "3 over a range of 4";
  EXPECT_NEAR(effect(found, "x2").mean, -10.0, 1e-12);
  EXPECT_NEAR(effect(found, "x2").mean_size, 10.0, 1e-12);
  EXPECT_NEAR(effect(found, "x1").deviation, 0.0, 1e-9);
  EXPECT_EQ(effect(found, "x1").pairs, 4U * 2U * 3U);
}

TEST(Sensitivity, AProductIsDecidedTogether) {
  // y = x1 x2 on {-1, 1} each: nothing is known from one of them alone.
  const std::vector<std::vector<double>> values{{-1, 1}, {-1, 1}};
  const auto found =
      sensitivity(results_at(values, whole_grid(values), [](const std::vector<double>& x) { return x[0] * x[1]; }), 0);
  for (const char* axis : {"x1", "x2"}) {
    EXPECT_NEAR(effect(found, axis).first, 0.0, 1e-12);
    EXPECT_NEAR(effect(found, axis).total, 1.0, 1e-12);
    EXPECT_NEAR(effect(found, axis).mean, 0.0, 1e-12);
    EXPECT_NEAR(effect(found, axis).mean_size, 2.0, 1e-12);
  }
}

TEST(Sensitivity, LinkedColumnsAreOneAxis) {
  Results results;
  results.axes = {"npu.rows", "npu.cols", "tech"};
  results.free = {{"npu.rows", "npu.cols"}, {"tech"}};
  results.metrics = {"latency"};
  std::uint64_t id = 0;
  for (const std::string rows : {"32", "64"}) {
    for (const std::string tech : {"n7", "n5"}) {
      results.rows.push_back({++id, {rows, rows, tech}, {rows == "32" ? 4.0 : 1.0}, "done", "", "", "full"});
    }
  }
  const auto found = sensitivity(results, 0);
  ASSERT_EQ(found.effects.size(), 2U);
  EXPECT_EQ(found.effects[0].axis, "npu.rows, npu.cols");
  EXPECT_NEAR(found.effects[0].total, 1.0, 1e-12);
  EXPECT_NEAR(found.effects[1].total, 0.0, 1e-12);
}

TEST(Radial, EachAxisIsVariedAroundEachPoint) {
  const Plan plan = plan_of(
      "axes:\n  npu.rows: {from: 1, to: 9, step: 1}\n  npu.cols: [16, 32]\n  l2.banks: [8]\n"
      "strategy: {name: radial, samples: 50}\n");
  const Space space(plan);
  const auto source = make_source(space);
  for (int i = 0; i < 50; ++i) {
    const auto middle = *source->next(), rows = *source->next(), cols = *source->next();
    EXPECT_NE(rows[0], middle[0]);
    EXPECT_EQ(rows[1], middle[1]);
    EXPECT_EQ(cols[0], middle[0]);
    EXPECT_NE(cols[1], middle[1]);
  }
  EXPECT_FALSE(source->next());
  EXPECT_EQ(count_points(space).points, 150.0);
}

}  // namespace
}  // namespace archsim
