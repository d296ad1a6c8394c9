// The parts of a picture that something stands on, so that no label is put there again. Pixels, y downwards.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace archsim {

struct Point {
  double x = 0.0, y = 0.0;
};

/// A rectangle, perhaps turned.
struct TextBox {
  std::array<Point, 4> corners;
};

/// Of a text whose baseline's left end stands at `at`, turned anticlockwise by `degrees`.
TextBox box_of_text(std::string_view text, double size, Point at, double degrees = 0.0);
TextBox box_around(Point centre, double half_width, double half_height);

/// Width that a text of this size takes at most, in pixels: fonts differ.
double width_of_text(std::string_view text, double size);

class Occupied {
 public:
  explicit Occupied(const TextBox& frame) : frame_(frame) {}

  void add(const TextBox& box) { boxes_.push_back(box); }
  /// Within the frame, and on nothing that was added.
  bool is_free(const TextBox& box) const;

 private:
  TextBox frame_;
  std::vector<TextBox> boxes_;
};

}  // namespace archsim
