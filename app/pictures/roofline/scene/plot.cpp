#include "app/pictures/roofline/scene/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/pictures/gnuplot.h"
#include "app/pictures/palette.h"

namespace archsim {
namespace {

// Of a mark of size 1, in pixels of a slide: what gnuplot's terminals draw.
constexpr double kCircleRadius = 4.5, kTriangleRadius = 5.6;

double point_size(double radius, bool is_vector) { return radius / (is_vector ? kTriangleRadius : kCircleRadius); }

class Script {
 public:
  explicit Script(const Scene& scene) : scene_(scene) {}

  std::string write() {
    frame();
    for (const SceneText& text : scene_.texts) label(text);
    for (const SceneMark& mark : scene_.marks) {
      add("set label '' at screen {:.5f},{:.5f} point pt {} ps {:.3f} lw 1.5 lc rgb '{}' front\n", across(mark.at.x),
          up(mark.at.y),
          mark.is_hollow   ? 6
          : mark.is_vector ? 9
                           : 7,
          point_size(mark.radius, mark.is_vector), palette::hex(mark.colour));
    }
    data();
    plot();
    return text_;
  }

 private:
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += fmt::format(format, std::forward<Arguments>(arguments)...);
  }
  double across(double x) const { return x / scene_.width; }
  double up(double y) const { return 1.0 - y / scene_.height; }

  void frame() {
    add("set encoding utf8\nset logscale xy\nunset key\n");
    add("set lmargin at screen {:.6f}\nset rmargin at screen {:.6f}\n", across(scene_.x.from), across(scene_.x.to));
    add("set tmargin at screen {:.6f}\nset bmargin at screen {:.6f}\n", up(scene_.y.to), up(scene_.y.from));
    add("set xrange [{:.9g}:{:.9g}]\nset yrange [{:.9g}:{:.9g}]\n", scene_.x.low, scene_.x.high, scene_.y.low,
        scene_.y.high);
    add("set border 3 lw 1 lc rgb '{}'\nset tics nomirror out\n", palette::hex(palette::kSoftInk));
    add("set grid xtics ytics lt 1 lw 0.6 lc rgb '{}'\n", palette::hex(palette::kGrid));
    add("set mxtics 1\nset mytics 1\nset format x '%g'\nset format y '%.0s %c'\n");
    add("set xlabel 'useful MACs (or vector elements) a DRAM byte' font ',13'\n");
    add("set ylabel 'MAC/s (or vector elements/s)' font ',13' offset -0.5,0\n");
    if (scene_.on_chip_from <= 0.0) return;
    add("set arrow from {0:.9g}, graph 0 to {0:.9g}, graph 1 nohead lw 1 dt 3 lc rgb '{1}'\n", scene_.on_chip_from,
        palette::hex(palette::kSoftInk));
  }

  void label(const SceneText& text) {
    // Gnuplot centres a text on its anchor's height; ours is the baseline.
    const double turn = text.degrees * std::numbers::pi / 180.0, rise = 0.35 * text.size;
    const Point at{text.at.x - std::sin(turn) * rise, text.at.y - std::cos(turn) * rise};
    add("set label {} at screen {:.5f},{:.5f} left rotate by {:.2f} font '{},{:.2f}' tc rgb '{}' front\n",
        quoted_for_gnuplot(text.text), across(at.x), up(at.y), text.degrees, text.is_bold ? ":Bold" : "", text.size,
        palette::hex(text.colour));
  }

  void data() {
    for (std::size_t i = 0; i < scene_.lines.size(); ++i) {
      add("$line{} << EOD\n", i);
      for (const auto& [x, y] : scene_.lines[i].points) add("{:.9g} {:.9g}\n", x, y);
      add("EOD\n");
    }
    block("circles", scene_.dots, false);
    block("triangles", scene_.dots, true);
    block("ridges", scene_.ridges, false);
  }

  void block(const char* name, const std::vector<SceneDot>& dots, bool is_vector) {
    add("${} << EOD\n", name);
    for (const SceneDot& dot : dots) {
      if (dot.is_vector != is_vector) continue;
      add("{:.12g} {:.12g} {:.3f} {}\n", dot.x, dot.y, point_size(dot.radius, is_vector), dot.colour);
    }
    add("EOD\n");
  }

  void plot() {
    std::string parts;
    for (std::size_t i = 0; i < scene_.lines.size(); ++i) {
      const SceneLine& line = scene_.lines[i];
      parts += fmt::format("{}$line{} with lines lw {:.1f} dt {} lc rgb '{}'", parts.empty() ? "" : ", ", i, line.width,
                           line.is_dashed ? "(8,5)" : "1", palette::hex(line.colour));
    }
    const auto has = [&](bool is_vector) {
      return std::any_of(scene_.dots.begin(), scene_.dots.end(),
                         [&](const SceneDot& dot) { return dot.is_vector == is_vector; });
    };
    const auto more = [&](const std::string& part) { parts += (parts.empty() ? "" : ", ") + part; };
    if (has(false)) more("$circles using 1:2:3:4 with points pt 7 ps variable lc rgb variable");
    if (has(true)) more("$triangles using 1:2:3:4 with points pt 9 ps variable lc rgb variable");
    if (!scene_.ridges.empty()) more("$ridges using 1:2:3:4 with points pt 6 lw 1.5 ps variable lc rgb variable");
    add("plot {}\n", parts.empty() ? "1/0" : parts);
  }

  const Scene& scene_;
  std::string text_;
};

}  // namespace

std::string gnuplot_script(const Scene& scene) { return Script(scene).write(); }

}  // namespace archsim
