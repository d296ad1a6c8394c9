#include "app/pictures/report/report.h"

#include <fmt/format.h>

#include "app/pictures/page/page.h"
#include "app/pictures/palette.h"
#include "app/pictures/report/sections.h"
#include "app/pictures/roofline/page.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

struct Section {
  const char *id, *title, *body;
};

// In the order of a review: the answer, where time goes, why, what would help, what it rests on.
constexpr Section kSections[] = {
    {"stages", "Stages",
     "<div id=\"stage-bar\" class=\"chart low\" role=\"img\" aria-label=\"Time of each stage\"></div>"
     "<div id=\"stage-table\"></div>"},
    {"roof", "Roofline",
     "<div id=\"roofline\" class=\"chart tall\" role=\"img\" aria-label=\"Operators under the machine's "
     "ceilings\"></div>"
     "<p class=\"note\">A dot an operator, its area the time of all instances. x counts DRAM bytes; an operator above "
     "a DRAM "
     "line had bytes fetched ahead, or on chip.</p>"
     "<details><summary>All dots as a table</summary><div id=\"roofline-table\"></div></details>"},
    {"time", "Timeline",
     "<div id=\"overview\" class=\"chart\" role=\"img\" aria-label=\"Engines over time\"></div>"
     "<p class=\"note\">The height of a part is the share of its time in which operators of that engine were under "
     "way, its "
     "colour what bounded most of them. <code>archsim run --timeline FILE</code> has every command.</p>"},
    {"longest", "Longest operators", "<div id=\"operator-table\"></div>"},
    {"what-if", "What if",
     "<div class=\"columns\"><div><h3>each resource doubled</h3><div id=\"tornado\" class=\"chart\" "
     "role=\"img\" aria-label=\"What doubling each resource saves\"></div><p class=\"note\" "
     "id=\"what-if-kind\"></p></div>"
     "<div><h3>above the lower bound</h3><div id=\"gap\" class=\"chart\" role=\"img\" aria-label=\"Where time above "
     "the lower "
     "bound goes\"></div></div></div>"},
    {"engines-section", "Engines and memories",
     "<div class=\"columns\"><div><h3>where engines' time went</h3><div id=\"engines\" class=\"chart tall\" "
     "role=\"img\" "
     "aria-label=\"Engines: busy, waiting, idle\"></div></div><div><h3>memory peaks</h3><div id=\"memory\" "
     "class=\"chart low\" role=\"img\" aria-label=\"Most bytes used of each memory\"></div><div "
     "id=\"memory-time-place\"></div>"
     "</div></div>"},
    {"price", "Energy and area", "<div id=\"price-place\"></div>"},
    {"mapping", "Mapping",
     "<div id=\"host-table\"></div><details><summary>Every operator</summary>"
     "<div id=\"mapping-table\"></div></details>"},
    {"sources", "Assumptions and sources", "<div id=\"source-table\"></div>"},
    {"configuration", "Configuration", "<div id=\"configuration-table\"></div>"}};

std::string body_of(const RunFile& run) {
  std::string body = "<a class=\"skip\" href=\"#main\">to the report</a>\n<nav aria-label=\"sections\"><ul>";
  for (const Section& section : kSections)
    body += fmt::format("<li><a href=\"#{}\">{}</a></li>", section.id, section.title);
  body += "</ul></nav>\n<main id=\"main\">\n<h1>" + escaped(run.title()) + "</h1>\n";
  body += "<p class=\"lead\" id=\"headline\"></p>\n<div class=\"cards\" id=\"cards\"></div>\n";
  for (const Section& section : kSections) {
    body +=
        fmt::format("<section id=\"{0}\" aria-labelledby=\"{0}-title\"><h2 id=\"{0}-title\">{1}</h2>{2}</section>\n",
                    section.id, section.title, section.body);
  }
  return body + "</main>";
}

Json work_rows(const RunFile& run) {
  Json rows = Json::array();
  std::map<std::string, std::string> fused;
  for (const RunRow& row : run.operators) fused[row.name] = row.fused_into;
  for (const RunWork& work : run.work) {
    rows.push_back({{"name", work.name},
                    {"op", work.op},
                    {"stage", work.stage},
                    {"engine", work.engine},
                    {"instances", work.instances},
                    {"at_once", work.at_once},
                    {"fused_into", fused[work.name]},
                    {"why", work.why},
                    {"operands", work.operands}});
  }
  return rows;
}

/// The parts of run.json that the page shows as they are.
Json plain_parts(const RunFile& run) {
  Json parts = Json::object();
  for (const char* key :
       {"schema", "version", "fidelity", "seed", "trace", "time_s", "macs", "dram_read_bytes", "dram_write_bytes",
        "bound", "stages", "host_operators", "memory", "memory_over_time", "ppa"}) {
    if (run.json.contains(key)) parts[key] = run.json[key];
  }
  parts["soc"] = run.soc;
  parts["lower_bound_s"] = run.lower_bound_s;
  parts["gap"] = run.json["roofline"].value("gap_shares_s", Json::object());
  Json engines = Json::array();
  const Json blocks = run.json.value("blocks", Json::object());
  for (const auto& block : blocks.items()) {
    if (!block.value().is_object() || !block.value().contains("engines")) continue;
    for (const auto& engine : block.value()["engines"].items())
      engines.push_back({{"block", block.key()}, {"engine", engine.key()}, {"shares", engine.value()}});
  }
  parts["engines"] = std::move(engines);
  return parts;
}

}  // namespace

Checked<std::string> report_page(const RunFile& run) {
  Json data{{"run", plain_parts(run)},
            {"longest", longest_operators_section(run)},
            {"overview", overview_section(run)},
            {"what_if", what_if_section(run)},
            {"work", work_rows(run)},
            {"sources", sources_section(run)},
            {"configuration", configuration_section(run)}};
  const auto roofline = roofline_of(run);
  // A run without ceilings has a report without that picture.
  if (roofline) data["roofline"] = roofline_data({*roofline}, ColourBy::bound);
  Json colours = Json::object(), series = Json::array();
  for (const char* bound :
       {"compute", "vector", "sram", "dma", "noc", "dram", "cpu", "launch", "dependency", "wireless"})
    colours[bound] = palette::hex(palette::of_bound(bound));
  for (const std::uint32_t colour : palette::kSeries) series.push_back(palette::hex(colour));
  data["colors"] = {{"bound", colours}, {"series", series}};
  return html_page(
      {.title = "archsim: " + run.title(), .body = body_of(run), .scripts = {"page.js", "roofline.js", "report.js"}},
      data);
}

}  // namespace archsim
