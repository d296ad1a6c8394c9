// The points that no other one beats in everything at once.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace archsim {

/// A point's objectives, each to be minimized; maximized ones with a minus before.
using Goals = std::vector<double>;

/// Whether `a` is nowhere worse than `b` and somewhere better.
bool dominates(const Goals& a, const Goals& b);

/// Indices of those that none dominates, in the order of their first objective. Of equal ones all; none with a NaN.
/// For two objectives n log n; for more, n times the size of the front.
std::vector<std::size_t> front_of(const std::vector<Goals>& points);

/// Volume between the front and `reference`, which it must dominate; what lies beyond the reference counts nothing. One to three
/// objectives are computed exactly, point by point; more by slices (Zitzler 1999, "hypervolume by slicing objectives").
double hypervolume(const std::vector<Goals>& front, const Goals& reference);

/// The point of the front (an index into `front`) farthest below the line, or plane, through its extreme points, objectives scaled
/// to 0..1 (Das 1999, "characterizing the knee of the Pareto curve"). Nothing for a front of fewer than three points.
std::optional<std::size_t> knee_of(const std::vector<Goals>& front);

}  // namespace archsim
