#include "sweep/analyse/front.h"

#include <gmock/gmock.h>

#include <limits>
#include <random>

namespace archsim {
namespace {

using testing::ElementsAre;

TEST(Front, KeepsWhatNobodyBeatsInEverything) {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(front_of({{3, 1}, {1, 3}, {2, 2}, {2, 3}, {3, 3}, {unknown, 0}}), ElementsAre(1, 2, 0));
  EXPECT_THAT(front_of({{1, 1}, {1, 1}}), ElementsAre(0, 1)) << "equal points beat each other nowhere";
  EXPECT_THAT(front_of({{1}, {2}}), ElementsAre(0));
}

TEST(Front, IsWhatEveryPairSays) {
  std::mt19937 random(3);
  for (const std::size_t dimensions : {2U, 3U, 4U}) {
    std::vector<Goals> points(300, Goals(dimensions));
    for (auto& point : points) {
      for (double& goal : point) goal = static_cast<double>(random() % 20);
    }
    const auto front = front_of(points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const bool is_beaten =
          std::any_of(points.begin(), points.end(), [&](const Goals& other) { return dominates(other, points[i]); });
      EXPECT_EQ(std::count(front.begin(), front.end(), i), is_beaten ? 0 : 1);
    }
  }
}

TEST(Hypervolume, IsTheVolumeOfTheBoxesTogether) {
  EXPECT_DOUBLE_EQ(hypervolume({{1, 3}, {2, 2}, {3, 1}}, {4, 4}), 3 * 1 + 2 * 1 + 1 * 1);
  EXPECT_DOUBLE_EQ(hypervolume({{0, 0, 0}}, {2, 3, 4}), 24);
  // Two boxes of 1 x 2 x 2 and 2 x 1 x 2 that share 1 x 1 x 2.
  EXPECT_DOUBLE_EQ(hypervolume({{1, 0, 0}, {0, 1, 0}}, {2, 2, 2}), 4 + 4 - 2);
  EXPECT_DOUBLE_EQ(hypervolume({{5, 5}}, {4, 4}), 0);
}

TEST(Knee, IsWhereBothObjectivesAreNearlyBest) {
  EXPECT_EQ(knee_of({{0, 100}, {1, 10}, {5, 8}, {10, 0}}), 1U);
  EXPECT_FALSE(knee_of({{0, 1}, {1, 0}}));
}

}  // namespace
}  // namespace archsim
