#include "app/pictures/roofline/scene/occupied.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace archsim {
namespace {

struct Span {
  double low, high;
};

Span along(const TextBox& box, Point axis) {
  Span span{1e300, -1e300};
  for (const Point& corner : box.corners) {
    const double at = corner.x * axis.x + corner.y * axis.y;
    span = {std::min(span.low, at), std::max(span.high, at)};
  }
  return span;
}

/// By the separating axes of two rectangles.
bool overlap(const TextBox& a, const TextBox& b) {
  for (const TextBox* box : {&a, &b}) {
    for (int side = 0; side < 2; ++side) {
      const Point from = box->corners[static_cast<std::size_t>(side)];
      const Point to = box->corners[static_cast<std::size_t>(side) + 1];
      const Point axis{to.x - from.x, to.y - from.y};
      const Span one = along(a, axis), other = along(b, axis);
      if (one.high <= other.low || other.high <= one.low) return false;
    }
  }
  return true;
}

bool contains(const TextBox& frame, const TextBox& box) {
  const Span x = along(frame, {1.0, 0.0}), y = along(frame, {0.0, 1.0});
  return std::all_of(box.corners.begin(), box.corners.end(), [&](const Point& corner) {
    return corner.x >= x.low && corner.x <= x.high && corner.y >= y.low && corner.y <= y.high;
  });
}

}  // namespace

double width_of_text(std::string_view text, double size) {
  // Characters, not bytes, of UTF-8; 0.6 of the size is above the mean of sans-serif fonts (DejaVu Sans 0.58, Arial 0.5).
  const auto characters = std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
  return 0.6 * size * static_cast<double>(characters);
}

TextBox box_of_text(std::string_view text, double size, Point at, double degrees) {
  const double width = width_of_text(text, size), up = 0.85 * size, down = 0.3 * size;
  const double turn = degrees * std::numbers::pi / 180.0;
  const Point right{std::cos(turn), -std::sin(turn)}, above{-std::sin(turn), -std::cos(turn)};
  const auto corner = [&](double along_text, double over_text) {
    return Point{at.x + right.x * along_text + above.x * over_text, at.y + right.y * along_text + above.y * over_text};
  };
  return {{corner(0.0, -down), corner(width, -down), corner(width, up), corner(0.0, up)}};
}

TextBox box_around(Point centre, double half_width, double half_height) {
  return {{Point{centre.x - half_width, centre.y + half_height}, Point{centre.x + half_width, centre.y + half_height},
           Point{centre.x + half_width, centre.y - half_height}, Point{centre.x - half_width, centre.y - half_height}}};
}

bool Occupied::is_free(const TextBox& box) const {
  if (!contains(frame_, box)) return false;
  return std::none_of(boxes_.begin(), boxes_.end(), [&](const TextBox& other) { return overlap(box, other); });
}

}  // namespace archsim
