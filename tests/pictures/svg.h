// A drawn SVG read back: texts, marks and lines in pixels, and the values that the axes' ticks give them.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace archsim {

struct SvgText {
  std::string text, anchor;
  double x = 0.0, y = 0.0, size = 0.0, degrees = 0.0;  // turned anticlockwise
};

struct SvgMark {
  int kind = 0;  // as gnuplot numbers points: 7 a disc, 9 a triangle, 6 a ring
  double x = 0.0, y = 0.0, scale = 0.0;
};

struct SvgPicture {
  std::vector<SvgText> texts;
  std::vector<SvgMark> marks;
  std::vector<std::array<std::pair<double, double>, 2>> lines;  // of two points

  /// The value at a pixel by two ticks of the axis.
  double x_value(double pixel) const;
  double y_value(double pixel) const;
};

SvgPicture read_svg(const std::string& svg);

}  // namespace archsim
