#include "app/compare/compare_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kTopOperators = 15, kMostSettings = 20;

std::string milliseconds(double time_s) { return fmt::format("{:.3f}", time_s * 1e3); }
std::string signed_milliseconds(double time_s) { return fmt::format("{:+.3f}", time_s * 1e3); }
double part_of(double before, double after) { return QuantityChange{"", "", before, after, false}.part(); }

std::string cut(const std::string& text, std::size_t most) {
  return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

/// The end of a name says more than its beginning.
std::string cut_front(const std::string& text, std::size_t most) {
  return text.size() <= most ? text : "..." + text.substr(text.size() - most + 3);
}

std::string shown(double value, const std::string& unit) {
  if (unit == "s") return fmt::format("{:.3f} ms", value * 1e3);
  if (unit == "B") return fmt::format("{:.1f} MB", value / 1e6);
  if (unit == "MAC") return fmt::format("{:.3f} GMAC", value / 1e9);
  return fmt::format("{:.4g} {}", value, unit);
}

std::string became(const std::string& before, const std::string& after) {
  if (before == after) return after;
  if (before.empty() || after.empty()) return before.empty() ? after + " (new)" : before + " (gone)";
  return before + " -> " + after;
}

TextTable headline(const Comparison& comparison) {
  TextTable table{comparison.title, {"<", "old", "new", "change"}, {}};
  for (const QuantityChange& each : comparison.quantities) {
    table.rows.push_back(
        {each.name, shown(each.before, each.unit), shown(each.after, each.unit), part_in_words(each.part())});
  }
  return table;
}

TextTable causes(const Comparison& comparison) {
  TextTable table{"what was changed", {"<what", "<old", "<new", "<acts on"}, {}};
  for (const SettingChange& each : comparison.settings) {
    if (table.rows.size() == kMostSettings) break;
    table.rows.push_back({cut_front(each.path, 34), cut(each.before, 22), cut(each.after, 22), each.acts_on});
  }
  for (const std::string& each : comparison.workload) table.rows.push_back({cut(each, 84), "", "", ""});
  if (comparison.settings.size() > kMostSettings)
    table.rows.push_back({fmt::format("{} more", comparison.settings.size() - kMostSettings), "", "", ""});
  if (table.rows.empty()) table.rows.push_back({"nothing: one machine, one trace", "", "", ""});
  return table;
}

TextTable stages(const Comparison& comparison) {
  TextTable table{"stages", {"<stage", "old ms", "new ms", "change ms", "", "DRAM MB", "<bound"}, {}};
  for (const StageChange& each : comparison.stages) {
    table.rows.push_back({cut_front(each.name, 24), milliseconds(each.time_before_s), milliseconds(each.time_after_s),
                          signed_milliseconds(each.time_after_s - each.time_before_s),
                          part_in_words(part_of(each.time_before_s, each.time_after_s)),
                          fmt::format("{:+.1f}", (each.bytes_after - each.bytes_before) / 1e6),
                          became(each.bound_before, each.bound_after)});
  }
  return table;
}

TextTable bounds(const Comparison& comparison) {
  TextTable table{"operators, by what bounded them before; their windows overlap",
                  {"<bound", "old ms", "new ms", "change ms", ""},
                  {}};
  for (const BoundChange& each : comparison.bounds) {
    table.rows.push_back({each.bound, milliseconds(each.time_before_s), milliseconds(each.time_after_s),
                          signed_milliseconds(each.time_after_s - each.time_before_s),
                          part_in_words(part_of(each.time_before_s, each.time_after_s))});
  }
  return table;
}

TextTable operators(const Comparison& comparison) {
  TextTable table{"operators that changed most", {"<operator", "change ms", "", "<why"}, {}};
  for (const OperatorChange& each : comparison.operators) {
    if (table.rows.size() == kTopOperators) break;
    std::string why;
    for (const std::string& reason : each.why) why += (why.empty() ? "" : "; ") + reason;
    table.rows.push_back({cut_front(each.name, 34), signed_milliseconds(each.change_s()),
                          part_in_words(part_of(each.time_before_s, each.time_after_s)), cut(why, 42)});
  }
  return table;
}

Json part_json(double part) { return std::isfinite(part) ? Json(part) : Json(nullptr); }

template <class Change>
void add_energy(const Change& change, Json& to) {
  if (change.energy_before_j) to["old_energy_j"] = *change.energy_before_j;
  if (change.energy_after_j) to["new_energy_j"] = *change.energy_after_j;
}

}  // namespace

std::string part_in_words(double part) {
  if (!std::isfinite(part)) return "new";
  return std::abs(part) < 0.0005 ? "0.0 %" : fmt::format("{:+.1f} %", 100.0 * part);
}

std::vector<QuantityChange> past_limit(const Comparison& comparison, double limit) {
  std::vector<QuantityChange> past;
  for (const QuantityChange& each : comparison.quantities) {
    if (each.is_limited && each.after > each.before * (1.0 + limit)) past.push_back(each);
  }
  return past;
}

std::vector<TextTable> compare_tables(const Comparison& comparison) {
  std::vector<TextTable> tables{headline(comparison), causes(comparison), stages(comparison)};
  if (comparison.operators.empty()) return tables;
  tables.push_back(bounds(comparison));
  tables.push_back(operators(comparison));
  return tables;
}

std::string compare_json(const Comparison& comparison, std::optional<double> limit) {
  Json json{{"schema", "archsim.diff/1"}, {"title", comparison.title}};
  for (const QuantityChange& each : comparison.quantities) {
    json["quantities"].push_back({{"name", each.name},
                                  {"unit", each.unit},
                                  {"old", each.before},
                                  {"new", each.after},
                                  {"change", part_json(each.part())}});
  }
  json["workload"] = comparison.workload;
  json["settings"] = Json::array();
  for (const SettingChange& each : comparison.settings) {
    json["settings"].push_back(
        {{"path", each.path}, {"old", each.before}, {"new", each.after}, {"acts_on", each.acts_on}});
  }
  json["stages"] = Json::array();
  for (const StageChange& each : comparison.stages) {
    json["stages"].push_back({{"name", each.name},
                              {"old_time_s", each.time_before_s},
                              {"new_time_s", each.time_after_s},
                              {"old_dram_bytes", each.bytes_before},
                              {"new_dram_bytes", each.bytes_after},
                              {"old_bound", each.bound_before},
                              {"new_bound", each.bound_after}});
    add_energy(each, json["stages"].back());
  }
  json["operators"] = Json::array();
  for (const OperatorChange& each : comparison.operators) {
    json["operators"].push_back({{"name", each.name},
                                 {"stage", each.stage},
                                 {"old_time_s", each.time_before_s},
                                 {"new_time_s", each.time_after_s},
                                 {"old_dram_bytes", each.bytes_before},
                                 {"new_dram_bytes", each.bytes_after},
                                 {"old_macs", each.macs_before},
                                 {"new_macs", each.macs_after},
                                 {"old_bound", each.bound_before},
                                 {"new_bound", each.bound_after},
                                 {"why", each.why}});
    add_energy(each, json["operators"].back());
  }
  if (limit) {
    json["limit"] = *limit;
    json["past_limit"] = Json::array();
    for (const QuantityChange& each : past_limit(comparison, *limit)) json["past_limit"].push_back(each.name);
  }
  return json.dump(1) + "\n";
}

std::string compare_csv(const Comparison& comparison) {
  std::string out = csv_line({"name", "stage", "old_time_s", "new_time_s", "old_dram_bytes", "new_dram_bytes",
                              "old_macs", "new_macs", "old_bound", "new_bound", "why"});
  for (const OperatorChange& each : comparison.operators) {
    std::string why;
    for (const std::string& reason : each.why) why += (why.empty() ? "" : "; ") + reason;
    out +=
        csv_line({each.name, each.stage, fmt::to_string(each.time_before_s), fmt::to_string(each.time_after_s),
                  fmt::to_string(each.bytes_before), fmt::to_string(each.bytes_after), fmt::to_string(each.macs_before),
                  fmt::to_string(each.macs_after), each.bound_before, each.bound_after, why});
  }
  return out;
}

}  // namespace archsim
