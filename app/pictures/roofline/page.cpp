#include "app/pictures/roofline/page.h"

#include <nlohmann/json.hpp>

#include "app/pictures/page/page.h"
#include "app/pictures/palette.h"
#include "app/pictures/roofline/scene/labels.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

std::string name_of(ColourBy by) { return by == ColourBy::bound ? "bound" : by == ColourBy::stage ? "stage" : "run"; }

Json dot_of(const RooflineDot& dot) {
  Json json{{"name", dot.name},   {"stage", dot.stage},       {"engine", dot.engine},       {"bound", dot.bound},
            {"dtype", dot.dtype}, {"operands", dot.operands}, {"instances", dot.instances}, {"time_s", dot.time_s},
            {"work", dot.work},   {"bytes", dot.bytes},       {"rate", dot.rate()},         {"vector", dot.is_vector}};
  if (!dot.is_on_chip()) json["intensity"] = dot.intensity();
  return json;
}

Json series_of(const RooflineSeries& series) {
  Json flats = Json::array(), slopes = Json::array(), ridges = Json::array(), dots = Json::array();
  for (const FlatCeiling& flat : series.flats)
    flats.push_back({{"label", flat.label}, {"per_s", flat.per_s}, {"vector", flat.is_vector}});
  for (const SlopeCeiling& slope : series.slopes) {
    slopes.push_back({{"label", slope.label}, {"bytes_per_s", slope.bytes_per_s}, {"achievable", slope.is_achievable}});
  }
  for (const Ridge& ridge : series.ridges())
    ridges.push_back({{"label", ridge.label}, {"intensity", ridge.intensity}, {"per_s", ridge.per_s}});
  for (const RooflineDot& dot : series.dots) dots.push_back(dot_of(dot));
  return {
      {"title", series.title}, {"headline", series.headline}, {"flats", flats}, {"slopes", slopes}, {"ridges", ridges},
      {"dots", dots},          {"left_out", series.left_out}};
}

}  // namespace

Json roofline_data(const std::vector<RooflineSeries>& all, ColourBy by) {
  Json colours = Json::object(), runs = Json::array(), series_colours = Json::array();
  for (const char* bound :
       {"compute", "vector", "sram", "dma", "noc", "dram", "cpu", "launch", "dependency", "wireless"})
    colours[bound] = palette::hex(palette::of_bound(bound));
  for (const std::uint32_t colour : palette::kSeries) series_colours.push_back(palette::hex(colour));
  for (const RooflineSeries& series : all) runs.push_back(series_of(series));
  return {{"color_by", name_of(by)},
          {"bound_colors", colours},
          {"series_colors", series_colours},
          {"stages", stages_of(all)},
          {"runs", runs}};
}

Checked<std::string> roofline_page(const std::vector<RooflineSeries>& all, ColourBy by) {
  std::string title = all.front().title;
  for (std::size_t i = 1; i < all.size(); ++i) title += ", " + all[i].title;
  std::string body = "<main>\n<h1>" + escaped(title) + "</h1>\n";
  for (const RooflineSeries& series : all)
    body += "<p class=\"lead\">" + escaped(all.size() > 1 ? series.title + ": " + series.headline : series.headline) +
            "</p>\n";
  body += "<div id=\"roofline\" class=\"chart tall\" role=\"img\" aria-label=\"Roofline\"></div>\n";
  body +=
      "<p class=\"note\">x counts DRAM bytes; an operator above a DRAM line had bytes fetched ahead, or on chip. "
      "Operators that only move data or run on the CPU have no dot.</p>\n";
  body += "<div id=\"roofline-table\"></div>\n</main>";
  return html_page({.title = "Roofline: " + title, .body = body, .scripts = {"page.js", "roofline.js"}},
                   {{"roofline", roofline_data(all, by)}});
}

}  // namespace archsim
