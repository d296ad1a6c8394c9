#include "app/pictures/roofline/scene/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "app/pictures/palette.h"
#include "app/pictures/roofline/scene/legend.h"

namespace archsim {
namespace {

constexpr double kLineText = 12.0, kDotText = 11.0;
constexpr std::size_t kNamedDots = 9;
constexpr int kLevels = 10;  // of flags above the roof

class Labeller {
 public:
  Labeller(const std::vector<RooflineSeries>& all, ColourBy by, Scene& scene)
      : all_(all),
        scene_(scene),
        occupied_(box_around(middle(scene), half_width(scene), half_height(scene))),
        texts_(box_around(middle(scene), half_width(scene), half_height(scene))),
        by_(by) {}

  void label() {
    for (const SceneDot& dot : scene_.dots) {
      const Point at = pixel(dot.x, dot.y);
      occupied_.add(box_around(at, dot.radius * 0.9, dot.radius * 0.9));
    }
    for (const SceneLine& line : scene_.lines) stand_on(line);
    std::vector<const RooflineSeries*> machines;
    for (const RooflineSeries& series : all_) {
      const bool is_there = std::any_of(machines.begin(), machines.end(),
                                        [&](const auto* other) { return series.has_ceilings_of(*other); });
      if (!is_there) machines.push_back(&series);
    }
    if (scene_.on_chip_from > 0.0) label_on_chip();
    // Several machines are told apart by colour, and only where they differ most: what crosses the DRAM's pins.
    is_crowded_ = machines.size() > 1;
    for (const RooflineSeries* machine : machines) {
      const auto index = static_cast<std::size_t>(machine - all_.data());
      ink_ = is_crowded_ && by_ == ColourBy::run ? palette::kSeries[index % palette::kSeries.size()] : palette::kInk;
      prefix_ = is_crowded_ && by_ != ColourBy::run ? machine->title.substr(machine->title.rfind(' ') + 1) + " " : "";
      flag_ridges(*machine);
      const double steepest = machine->slopes.empty() ? 0.0 : machine->slopes.front().bytes_per_s;
      for (const FlatCeiling& flat : machine->flats) label_flat(flat, steepest);
      for (const SlopeCeiling& slope : machine->slopes) {
        if (!is_crowded_ || !slope.is_achievable) label_slope(slope, machine->flats);
      }
    }
    std::size_t first = 0;
    for (const RooflineSeries& series : all_) {
      name_dots(series, first);
      first += series.dots.size();
    }
  }

 private:
  static Point middle(const Scene& scene) {
    return {(scene.x.from + scene.x.to) / 2.0, (scene.y.from + scene.y.to) / 2.0};
  }
  static double half_width(const Scene& scene) { return (scene.x.to - scene.x.from) / 2.0 - 2.0; }
  static double half_height(const Scene& scene) { return (scene.y.from - scene.y.to) / 2.0 - 2.0; }

  Point pixel(double x, double y) const { return {scene_.x.pixel(x), scene_.y.pixel(y)}; }
  double right_end() const { return scene_.x.pixel(scene_.on_chip_from > 0.0 ? scene_.on_chip_from : scene_.x.high); }

  bool try_text(const std::string& text, double size, Point at, std::uint32_t colour, double degrees = 0.0) {
    const TextBox box = box_of_text(text, size, at, degrees);
    if (!occupied_.is_free(box)) return false;
    occupied_.add(box);
    texts_.add(box);
    scene_.texts.push_back({.text = text, .at = at, .size = size, .degrees = degrees, .colour = colour});
    return true;
  }

  void stand_on(const SceneLine& line) {
    for (std::size_t i = 1; i < line.points.size(); ++i) {
      const Point a = pixel(line.points[i - 1].first, line.points[i - 1].second);
      const Point b = pixel(line.points[i].first, line.points[i].second);
      occupied_.add(strip(a, b));
    }
  }

  /// A line between two points, two pixels wide.
  static TextBox strip(Point a, Point b) {
    const double length = std::max(1.0, std::hypot(b.x - a.x, b.y - a.y));
    const Point side{(b.y - a.y) / length, (a.x - b.x) / length};
    return {{Point{a.x - side.x, a.y - side.y}, Point{b.x - side.x, b.y - side.y}, Point{b.x + side.x, b.y + side.y},
             Point{a.x + side.x, a.y + side.y}}};
  }

  void label_on_chip() {
    const std::string text = "no DRAM";
    const double centre = (right_end() + scene_.x.to) / 2.0;
    try_text(text, kDotText, {centre - width_of_text(text, kDotText) / 2.0, scene_.y.from - 8.0}, palette::kSoftInk);
  }

  // From the right to the left, each flag above those that it would touch, so that no pole crosses a text.
  void flag_ridges(const RooflineSeries& machine) {
    auto ridges = machine.ridges();
    std::stable_sort(ridges.begin(), ridges.end(),
                     [](const Ridge& a, const Ridge& b) { return a.intensity > b.intensity; });
    for (const Ridge& ridge : ridges) {
      if (is_crowded_ && !ridge.label.starts_with("DRAM ")) continue;
      const Point at = pixel(ridge.intensity, ridge.per_s);
      const std::string text = prefix_ + ridge.label;
      const double width = width_of_text(text, kLineText);
      for (int place = 0; place < 2 * kLevels; ++place) {
        const double y = at.y - 20.0 - 16.0 * (place % kLevels);
        const double x = place < kLevels ? at.x + 4.0 : at.x - 4.0 - width;
        if (!try_text(text, kLineText, {x, y}, ink_)) continue;
        const SceneLine pole{.points = {{ridge.intensity, ridge.per_s}, {ridge.intensity, scene_.y.value(y - 9.0)}},
                             .colour = palette::kSoftInk,
                             .width = 0.8};
        scene_.lines.push_back(pole);
        stand_on(pole);
        break;
      }
    }
  }

  void label_flat(const FlatCeiling& flat, double steepest) {
    const double y = scene_.y.pixel(flat.per_s), width = width_of_text(prefix_ + flat.label, kLineText);
    const double start = steepest > 0.0 ? scene_.x.pixel(flat.per_s / steepest) : scene_.x.from;
    for (const double from : {start, scene_.x.from}) {
      for (double x = scene_.x.to - width - 6.0; x > from; x -= 15.0) {
        for (const double over : {-6.0, 15.0}) {
          if (try_text(prefix_ + flat.label, kLineText, {x, y + over}, ink_)) return;
        }
      }
    }
  }

  // Along its line, from the lower end on, above it or else below.
  void label_slope(const SlopeCeiling& slope, const std::vector<FlatCeiling>& flats) {
    const double top = flats.empty() ? scene_.y.high : flats.front().per_s;
    const double from = std::max(scene_.x.low, scene_.y.low / slope.bytes_per_s), to = top / slope.bytes_per_s;
    if (from >= to) return;
    const Point a = pixel(from, from * slope.bytes_per_s), b = pixel(to, top);
    const double turn = std::atan2(a.y - b.y, b.x - a.x), length = std::hypot(b.x - a.x, b.y - a.y);
    const std::string text = prefix_ + slope.label;
    for (const double over : slope.is_achievable ? std::vector<double>{-14.0, 5.0} : std::vector<double>{5.0, -14.0}) {
      for (double along = 12.0; along + width_of_text(text, kLineText) < length; along += 15.0) {
        const Point at{a.x + std::cos(turn) * along - std::sin(turn) * over,
                       a.y - std::sin(turn) * along - std::cos(turn) * over};
        if (try_text(text, kLineText, at, ink_, turn * 180.0 / std::numbers::pi)) return;
      }
    }
  }

  void name_dots(const RooflineSeries& series, std::size_t first) {
    const std::size_t number = std::min(series.dots.size(), std::max<std::size_t>(2, kNamedDots / all_.size()));
    for (std::size_t i = 0; i < number; ++i) {
      const SceneDot& dot = scene_.dots[first + i];
      const Point at = pixel(dot.x, dot.y);
      const std::string text = shortened(series.dots[i].name, 34);
      const double width = width_of_text(text, kDotText), r = dot.radius + 4.0;
      std::vector<Point> places{{at.x + r, at.y + 4.0},
                                {at.x - r - width, at.y + 4.0},
                                {at.x - width / 2.0, at.y + r + 9.0},
                                {at.x - width / 2.0, at.y - r - 1.0},
                                {at.x + r * 0.7, at.y + r},
                                {at.x + r * 0.7, at.y - r + 6.0},
                                {at.x - r * 0.7 - width, at.y + r},
                                {at.x - r * 0.7 - width, at.y - r + 6.0}};
      const std::size_t near = places.size();
      for (const double further : {24.0, 48.0, 72.0}) {
        places.push_back({at.x - width / 2.0, at.y + r + 9.0 + further});
        places.push_back({at.x + r * 0.7, at.y + r + further});
      }
      for (std::size_t place = 0; place < places.size(); ++place) {
        const Point name{places[place].x + width / 2.0, places[place].y - 10.0};
        if (place >= near && !texts_.is_free(strip(at, name))) continue;
        if (!try_text(text, kDotText, places[place], palette::kInk)) continue;
        if (place >= near) lead(at, name);
        break;
      }
    }
  }

  /// A thin line from a dot to its name, where that could not stand beside it.
  void lead(Point dot, Point name) {
    scene_.lines.push_back(
        {.points = {{scene_.x.value(dot.x), scene_.y.value(dot.y)}, {scene_.x.value(name.x), scene_.y.value(name.y)}},
         .colour = palette::kSoftInk,
         .width = 0.6});
  }

  const std::vector<RooflineSeries>& all_;
  Scene& scene_;
  Occupied occupied_;
  Occupied texts_;  // of it, what lines must not cross
  ColourBy by_;
  bool is_crowded_ = false;  // several machines
  std::string prefix_;       // the machine's name where colours do not tell
  std::uint32_t ink_ = palette::kInk;
};

}  // namespace

void add_labels(const std::vector<RooflineSeries>& all, ColourBy by, Scene& scene) {
  Labeller(all, by, scene).label();
  add_titles(all, scene);
  add_legend(all, by, scene);
}

}  // namespace archsim
