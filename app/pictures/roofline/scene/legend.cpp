#include "app/pictures/roofline/scene/legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/pictures/palette.h"
#include "app/pictures/roofline/scene/labels.h"

namespace archsim {
namespace {

constexpr double kLegend = 1042.0;  // left end
constexpr double kLegendText = 12.5;
constexpr std::size_t kLegendCharacters = 28;

struct Entry {
  std::string name;
  std::uint32_t colour = 0;
  double time_s = 0.0;
};

void add_time(std::vector<Entry>& entries, const std::string& name, std::uint32_t colour, double time_s) {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.name == name; });
  if (found != entries.end()) {
    found->time_s += time_s;
  } else {
    entries.push_back({name, colour, time_s});
  }
}

std::vector<Entry> entries_of(const std::vector<RooflineSeries>& all, ColourBy by) {
  std::vector<Entry> entries;
  const auto stages = stages_of(all);
  for (std::size_t run = 0; run < all.size(); ++run) {
    if (by == ColourBy::run) {
      entries.push_back({all[run].title, palette::kSeries[run % palette::kSeries.size()], all[run].time_s});
      continue;
    }
    for (const RooflineDot& dot : all[run].dots) {
      const auto stage = static_cast<std::size_t>(std::find(stages.begin(), stages.end(), dot.stage) - stages.begin());
      add_time(entries, by == ColourBy::bound ? dot.bound : dot.stage,
               by == ColourBy::bound ? palette::of_bound(dot.bound) : palette::kSeries[stage % palette::kSeries.size()],
               dot.time_s);
    }
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.time_s > b.time_s; });
  return entries;
}

class Column {
 public:
  explicit Column(Scene& scene) : scene_(scene) {}

  void heading(const std::string& text) {
    y_ += 14.0;
    scene_.texts.push_back(
        {.text = text, .at = {kLegend, y_}, .size = kLegendText, .colour = palette::kInk, .is_bold = true});
    y_ += 21.0;
  }
  void entry(const std::string& text, SceneMark mark) {
    const double high = std::max(10.0, mark.radius);
    y_ += high - 10.0;
    mark.at = {kLegend + 24.0, y_ - 4.0};
    scene_.marks.push_back(mark);
    scene_.texts.push_back({.text = shortened(text, kLegendCharacters),
                            .at = {kLegend + 54.0, y_},
                            .size = 12.0,
                            .colour = palette::kInk});
    y_ += high + 10.0;
  }

 private:
  Scene& scene_;
  double y_ = 96.0;
};

}  // namespace

std::string shortened(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  return "..." + text.substr(text.size() - most + 3);
}

void add_titles(const std::vector<RooflineSeries>& all, Scene& scene) {
  std::string title = all.front().title;
  for (std::size_t i = 1; i < all.size(); ++i) title += "; " + all[i].title;
  scene.texts.push_back({.text = title.size() <= 90 ? title : title.substr(0, 87) + "...",
                         .at = {scene.x.from, 36.0},
                         .size = 22.0,
                         .colour = palette::kInk,
                         .is_bold = true});
  scene.texts.push_back({.text = all.size() == 1 ? all.front().headline : fmt::format("{} runs", all.size()),
                         .at = {scene.x.from, 62.0},
                         .size = 15.0,
                         .colour = palette::kSoftInk});
  std::string note = "x counts DRAM bytes; an operator above a DRAM line had bytes fetched ahead, or on chip";
  if (all.size() == 1 && !all.front().left_out.empty()) note += ". " + all.front().left_out.front();
  scene.texts.push_back(
      {.text = note, .at = {scene.x.from, scene.height - 12.0}, .size = 11.0, .colour = palette::kSoftInk});
}

void add_legend(const std::vector<RooflineSeries>& all, ColourBy by, Scene& scene) {
  Column column(scene);
  column.heading(by == ColourBy::bound ? "bound by" : by == ColourBy::stage ? "stage" : "run");
  std::size_t shown = 0;
  for (const Entry& entry : entries_of(all, by)) {
    if (++shown > 12) break;
    column.entry(by == ColourBy::run ? entry.name : fmt::format("{}  {:.3g} ms", entry.name, entry.time_s * 1e3),
                 {.radius = 6.0, .colour = entry.colour});
  }
  column.heading("work");
  column.entry("MACs, on the array", {.radius = 6.0, .colour = palette::kSoftInk});
  column.entry("vector elements", {.radius = 6.0, .colour = palette::kSoftInk, .is_vector = true});
  column.entry("ridge point", {.radius = 4.0, .colour = palette::kCeiling, .is_hollow = true});
  double longest = 0.0, largest = 0.0;
  for (const RooflineSeries& series : all) {
    for (const RooflineDot& dot : series.dots) longest = std::max(longest, dot.time_s);
  }
  for (const SceneDot& dot : scene.dots) largest = std::max(largest, dot.radius);
  if (longest <= 0.0) return;
  column.heading("time, all instances");
  // Areas in the ratio of the times.
  for (const double part : {1.0, 0.25, 0.05}) {
    column.entry(fmt::format("{:.3g} ms", longest * part * 1e3),
                 {.radius = largest * std::sqrt(part), .colour = palette::kSoftInk});
  }
}

}  // namespace archsim
