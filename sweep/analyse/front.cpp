#include "sweep/analyse/front.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace archsim {
namespace {

bool has_all(const Goals& goals) {
  return std::none_of(goals.begin(), goals.end(), [](double value) { return std::isnan(value); });
}

/// Volume of the union of boxes from `points` to `reference` in the first `dimensions` objectives.
double volume(std::vector<Goals> points, const Goals& reference, std::size_t dimensions) {
  points.erase(std::remove_if(points.begin(), points.end(),
                              [&](const Goals& point) {
                                for (std::size_t d = 0; d < dimensions; ++d) {
                                  if (point[d] >= reference[d]) return true;
                                }
                                return false;
                              }),
               points.end());
  if (points.empty()) return 0.0;
  const std::size_t last = dimensions - 1;
  std::sort(points.begin(), points.end(), [&](const Goals& a, const Goals& b) { return a[last] < b[last]; });
  if (dimensions == 1) return reference[0] - points[0][0];
  // Between two neighbours along the last objective the section is the union of the boxes that began before.
  double sum = 0.0;
  std::vector<Goals> begun;
  for (std::size_t i = 0; i < points.size(); ++i) {
    begun.push_back(points[i]);
    const double next = i + 1 < points.size() ? points[i + 1][last] : reference[last];
    if (next > points[i][last]) sum += (next - points[i][last]) * volume(begun, reference, last);
  }
  return sum;
}

}  // namespace

bool dominates(const Goals& a, const Goals& b) {
  bool is_better = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
    is_better = is_better || a[i] < b[i];
  }
  return is_better;
}

std::vector<std::size_t> front_of(const std::vector<Goals>& points) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (has_all(points[i])) order.push_back(i);
  }
  // Whoever dominates a point stands before it.
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return points[a] < points[b]; });
  std::vector<std::size_t> front;
  for (const auto i : order) {
    // With two objectives the latest of the front has the best second one.
    const auto first = points[i].size() == 2 && !front.empty() ? front.end() - 1 : front.begin();
    const bool is_beaten =
        std::any_of(first, front.end(), [&](std::size_t other) { return dominates(points[other], points[i]); });
    if (!is_beaten) front.push_back(i);
  }
  return front;
}

double hypervolume(const std::vector<Goals>& front, const Goals& reference) {
  return front.empty() ? 0.0 : volume(front, reference, reference.size());
}

std::optional<std::size_t> knee_of(const std::vector<Goals>& front) {
  if (front.size() < 3) return {};
  const std::size_t dimensions = front[0].size();
  Goals low(dimensions, std::numeric_limits<double>::infinity()),
      high(dimensions, -std::numeric_limits<double>::infinity());
  for (const auto& point : front) {
    for (std::size_t d = 0; d < dimensions; ++d) {
      low[d] = std::min(low[d], point[d]);
      high[d] = std::max(high[d], point[d]);
    }
  }
  // The extremes of a scaled front lie on or near the plane where the parts sum to 1 in two dimensions; the smallest sum is
  // the farthest below any plane with that normal.
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < front.size(); ++i) {
    double sum = 0.0;
    for (std::size_t d = 0; d < dimensions; ++d)
      sum += high[d] > low[d] ? (front[i][d] - low[d]) / (high[d] - low[d]) : 0.0;
    if (sum < least) {
      least = sum;
      best = i;
    }
  }
  return best;
}

}  // namespace archsim
