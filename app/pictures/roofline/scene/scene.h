// A roofline picture laid out on a slide: every dot, line and label has its place, and no two labels share one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/pictures/roofline/roofline.h"
#include "app/pictures/roofline/scene/occupied.h"

namespace archsim {

enum class ColourBy { bound, stage, run };

struct SceneText {
  std::string text;
  Point at;  // left end of the baseline
  double size = 12.0;
  double degrees = 0.0;  // anticlockwise
  std::uint32_t colour = 0;
  bool is_bold = false;
};

struct SceneLine {
  std::vector<std::pair<double, double>> points;  // of the axes
  std::uint32_t colour = 0;
  double width = 1.5;
  bool is_dashed = false;
};

struct SceneDot {
  double x = 0.0, y = 0.0;  // of the axes
  double radius = 4.0;      // pixels
  std::uint32_t colour = 0;
  bool is_vector = false;
};

/// A mark of the legend.
struct SceneMark {
  Point at;
  double radius = 5.0;
  std::uint32_t colour = 0;
  bool is_vector = false, is_hollow = false;
};

/// A logarithmic axis, and the pixels of its ends.
struct LogAxis {
  double low = 1.0, high = 10.0;
  double from = 0.0, to = 1.0;
  double pixel(double value) const;
  double value(double pixel) const;
};

struct Scene {
  double width = 1280.0, height = 720.0;
  LogAxis x, y;
  double on_chip_from = 0.0;  // of the x axis: right of it stand the operators without DRAM bytes; 0 if there are none
  std::vector<SceneLine> lines;
  std::vector<SceneDot> dots;    // largest first
  std::vector<SceneDot> ridges;  // hollow marks
  std::vector<SceneMark> marks;
  std::vector<SceneText> texts;
};

/// Needs at least one series.
Scene scene_of(const std::vector<RooflineSeries>& series, ColourBy colour_by);

}  // namespace archsim
