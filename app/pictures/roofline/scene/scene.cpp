#include "app/pictures/roofline/scene/scene.h"

#include <algorithm>
#include <cmath>

#include "app/pictures/palette.h"
#include "app/pictures/roofline/scene/labels.h"

namespace archsim {
namespace {

constexpr double kLeft = 92.0, kRight = 1020.0, kTop = 84.0, kBottom = 632.0;  // of the plot
constexpr double kLargestDot = 24.0, kSmallestDot = 3.5;                       // radius
constexpr double kOnChipDecades = 0.55;

struct Range {
  double low = 1e300, high = 0.0;
  void take(double value) {
    if (value <= 0.0 || !std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

void set_axes(const std::vector<RooflineSeries>& all, Scene& scene) {
  Range x, y;
  bool has_on_chip = false;
  double most = 0.0;
  for (const RooflineSeries& series : all) {
    for (const RooflineDot& dot : series.dots) {
      y.take(dot.rate());
      if (!dot.is_on_chip()) x.take(dot.intensity());
      has_on_chip = has_on_chip || dot.is_on_chip();
    }
    for (const Ridge& ridge : series.ridges()) x.take(ridge.intensity);
    for (const FlatCeiling& flat : series.flats) most = std::max(most, flat.per_s);
  }
  if (x.high == 0.0) x = {0.1, 1000.0};
  if (most <= 0.0) most = y.high > 0.0 ? y.high : 1e12;
  y.low = std::min(y.low, most / 300.0);
  y.high = std::max(y.high, most);
  // Room for marks at the edges and for the flags of the ridge points above the highest line.
  scene.x = {x.low / 2.5, x.high * 4.0, kLeft, kRight};
  const double decades = std::log10(y.high / y.low) + 0.3;
  scene.y = {y.low / 2.0, y.high * std::pow(10.0, decades * 0.24), kBottom, kTop};
  if (!has_on_chip) return;
  scene.on_chip_from = scene.x.high;
  scene.x.high *= std::pow(10.0, std::max(kOnChipDecades, 0.08 * std::log10(scene.x.high / scene.x.low)));
}

void add_lines(const RooflineSeries& series, std::uint32_t colour, Scene& scene) {
  double top = 0.0;
  for (const FlatCeiling& flat : series.flats) top = std::max(top, flat.per_s);
  for (const SlopeCeiling& slope : series.slopes) {
    const double from = std::max(scene.x.low, scene.y.low / slope.bytes_per_s), to = top / slope.bytes_per_s;
    if (from >= to) continue;
    scene.lines.push_back({.points = {{from, from * slope.bytes_per_s}, {to, top}},
                           .colour = colour,
                           .width = slope.is_achievable ? 1.2 : 1.8,
                           .is_dashed = slope.is_achievable});
  }
  for (const FlatCeiling& flat : series.flats) {
    const double steepest = series.slopes.empty() ? 0.0 : series.slopes.front().bytes_per_s;
    const double from = steepest > 0.0 ? std::max(scene.x.low, flat.per_s / steepest) : scene.x.low;
    scene.lines.push_back({.points = {{from, flat.per_s}, {scene.x.high, flat.per_s}},
                           .colour = colour,
                           .width = flat.is_vector ? 1.4 : 2.2,
                           .is_dashed = flat.is_vector});
  }
  for (const Ridge& ridge : series.ridges()) {
    scene.ridges.push_back({.x = ridge.intensity, .y = ridge.per_s, .radius = 4.0, .colour = colour});
  }
}

std::uint32_t colour_of(const RooflineDot& dot, std::size_t run, ColourBy by, const std::vector<std::string>& stages) {
  if (by == ColourBy::bound) return palette::of_bound(dot.bound);
  std::size_t index = run;
  if (by == ColourBy::stage)
    index = static_cast<std::size_t>(std::find(stages.begin(), stages.end(), dot.stage) - stages.begin());
  return palette::kSeries[index % palette::kSeries.size()];
}

void add_dots(const std::vector<RooflineSeries>& all, ColourBy by, Scene& scene) {
  const auto stages = stages_of(all);
  double longest = 0.0;
  for (const RooflineSeries& series : all) {
    for (const RooflineDot& dot : series.dots) longest = std::max(longest, dot.time_s);
  }
  for (std::size_t run = 0; run < all.size(); ++run) {
    for (const RooflineDot& dot : all[run].dots) {
      const double on_chip = std::sqrt(scene.on_chip_from * scene.x.high);
      scene.dots.push_back({.x = dot.is_on_chip() ? on_chip : dot.intensity(),
                            .y = dot.rate(),
                            .radius = std::max(kSmallestDot, kLargestDot * std::sqrt(dot.time_s / longest)),
                            .colour = colour_of(dot, run, by, stages),
                            .is_vector = dot.is_vector});
    }
  }
}

}  // namespace

double LogAxis::pixel(double at) const { return from + (to - from) * std::log(at / low) / std::log(high / low); }
double LogAxis::value(double at) const { return low * std::pow(high / low, (at - from) / (to - from)); }

std::vector<std::string> stages_of(const std::vector<RooflineSeries>& all) {
  std::vector<std::string> stages;
  for (const RooflineSeries& series : all) {
    for (const RooflineDot& dot : series.dots) {
      if (std::find(stages.begin(), stages.end(), dot.stage) == stages.end()) stages.push_back(dot.stage);
    }
  }
  return stages;
}

Scene scene_of(const std::vector<RooflineSeries>& all, ColourBy by) {
  Scene scene;
  set_axes(all, scene);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_first = std::none_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(i),
                                       [&](const auto& before) { return all[i].has_ceilings_of(before); });
    if (!is_first) continue;
    const bool in_its_colour = by == ColourBy::run && !std::all_of(all.begin(), all.end(), [&](const auto& other) {
                                 return all[i].has_ceilings_of(other);
                               });
    add_lines(all[i], in_its_colour ? palette::kSeries[i % palette::kSeries.size()] : palette::kCeiling, scene);
  }
  add_dots(all, by, scene);
  add_labels(all, by, scene);
  std::stable_sort(scene.dots.begin(), scene.dots.end(),
                   [](const SceneDot& a, const SceneDot& b) { return a.radius > b.radius; });
  return scene;
}

}  // namespace archsim
