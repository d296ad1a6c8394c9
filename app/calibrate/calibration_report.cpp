#include "app/calibrate/calibration_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace archsim {
namespace {

constexpr std::size_t kMostRows = 20;  // of a side's rest; what they leave out is summed

std::string microseconds(double seconds) { return fmt::format("{:.3f}", seconds * 1e6); }
std::string share(double part, double whole) {
  return fmt::format("{:.1f} %", whole > 0.0 ? 100.0 * part / whole : 0.0);
}

TextTable summary(const Calibration& found) {
  TextTable table{"Measured beside predicted", {"<what", "measured", "predicted"}, {}};
  table.rows.push_back({found.is_of_kernels ? "kernels, ms" : "calls, ms",
                        fmt::format("{:.3f}", found.measured_s * 1e3), fmt::format("{:.3f}", found.predicted_s * 1e3)});
  table.rows.push_back({"of it matched by kind and shape", share(found.matched_measured_s, found.measured_s),
                        share(found.matched_predicted_s, found.predicted_s)});
  if (!found.rows.empty()) {
    table.rows.push_back(
        {"measured over predicted, geometric mean (lowest, highest)",
         fmt::format("{:.3g} ({:.3g}, {:.3g})", found.mean_ratio, found.lowest_ratio, found.highest_ratio), ""});
  }
  return table;
}

TextTable matched(const Calibration& found) {
  TextTable table{
      "Of one instance, in the mean",
      {"<operators", "<shape", "instances", "calls", "predicted us", "measured us", "ratio", "<not measured"},
      {}};
  for (const CalibrationRow& row : found.rows) {
    table.rows.push_back({row.operators, row.sizes, std::to_string(row.instances), std::to_string(row.measured_calls),
                          microseconds(row.predicted_s), microseconds(row.measured_s),
                          fmt::format("{:.3g}", row.ratio()), row.missing});
  }
  return table;
}

TextTable rest(const std::string& title, const std::vector<Unmatched>& list) {
  TextTable table{title, {"<what", "count", "us of all"}, {}};
  Unmatched more{"others", 0, 0.0};
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Unmatched& one = list[i];
    if (i < kMostRows) {
      table.rows.push_back({one.name, std::to_string(one.count), microseconds(one.time_s)});
    } else {
      more.count += one.count;
      more.time_s += one.time_s;
    }
  }
  if (more.count > 0) table.rows.push_back({more.name, std::to_string(more.count), microseconds(more.time_s)});
  return table;
}

nlohmann::ordered_json list_of(const std::vector<Unmatched>& list) {
  auto json = nlohmann::ordered_json::array();
  for (const Unmatched& one : list) json.push_back({{"name", one.name}, {"count", one.count}, {"time_s", one.time_s}});
  return json;
}

}  // namespace

std::vector<TextTable> calibration_tables(const Calibration& found) {
  std::vector<TextTable> tables{summary(found)};
  if (!found.rows.empty()) tables.push_back(matched(found));
  if (!found.unmeasured.empty()) tables.push_back(rest("Predicted, not in the profile", found.unmeasured));
  if (!found.unpredicted.empty()) tables.push_back(rest("Measured, not in the trace", found.unpredicted));
  return tables;
}

std::string calibration_json(const Calibration& found) {
  auto rows = nlohmann::ordered_json::array();
  for (const CalibrationRow& row : found.rows) {
    rows.push_back({{"operators", row.operators},
                    {"shape", row.sizes},
                    {"calls", row.calls},
                    {"not_measured", row.missing},
                    {"instances", row.instances},
                    {"measured_calls", row.measured_calls},
                    {"predicted_s", row.predicted_s},
                    {"measured_s", row.measured_s},
                    {"ratio", row.predicted_s > 0.0 ? nlohmann::ordered_json(row.ratio()) : nlohmann::ordered_json()}});
  }
  const nlohmann::ordered_json json{
      {"schema", "archsim.calibration/1"},
      {"times_of", found.is_of_kernels ? "kernels" : "calls"},
      {"measured_s", found.measured_s},
      {"matched_measured_s", found.matched_measured_s},
      {"predicted_s", found.predicted_s},
      {"matched_predicted_s", found.matched_predicted_s},
      {"ratio",
       {{"geometric_mean", found.mean_ratio}, {"lowest", found.lowest_ratio}, {"highest", found.highest_ratio}}},
      {"rows", std::move(rows)},
      {"unmeasured", list_of(found.unmeasured)},
      {"unpredicted", list_of(found.unpredicted)}};
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace archsim
