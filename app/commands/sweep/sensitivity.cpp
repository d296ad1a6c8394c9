#include "sweep/analyse/sensitivity.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "app/commands/sweep/commands.h"
#include "app/files/write_file.h"
#include "app/report/sweep_table.h"
#include "arch/describe/near_name.h"

namespace archsim {
namespace {

struct SensitivityRequest {
  std::string folder, metric, where, format = "table";
};

constexpr auto kExamples = R"(Examples:
  archsim sweep sensitivity results
  archsim sweep sensitivity results --metric energy --where "dram.channels >= 8"
A grid gives exact indices; `strategy: {name: radial, samples: 100}` estimates them.)";

std::string number_text(double value) { return std::isnan(value) ? "-" : fmt::format("{:.6g}", value); }
std::string part_text(double value) { return std::isnan(value) ? "-" : fmt::format("{:.4f}", value); }

TextTable table_of(const Results& results, const Sensitivity& found) {
  TextTable table{fmt::format("{}: what decides {} (mean {:.6g}, standard deviation {:.6g}; {} points{})", results.name,
                              found.metric, found.mean, found.deviation, found.points,
                              found.is_whole_grid ? ", the whole grid" : ""),
                  {"<axis", "values", "total effect", "first order", "mean size", "mean", "deviation", "pairs"},
                  {}};
  for (const auto& each : found.effects) {
    table.rows.push_back({each.axis, fmt::to_string(each.values), part_text(each.total), part_text(each.first),
                          number_text(each.mean_size), number_text(each.mean), number_text(each.deviation),
                          fmt::to_string(each.pairs)});
  }
  return table;
}

nlohmann::ordered_json json_of(const Sensitivity& found) {
  nlohmann::ordered_json axes = nlohmann::ordered_json::array();
  for (const auto& each : found.effects) {
    axes.push_back({{"axis", each.axis},
                    {"values", each.values},
                    {"pairs", each.pairs},
                    {"total_effect", each.total},
                    {"first_order", each.first},
                    {"mean_size", each.mean_size},
                    {"mean", each.mean},
                    {"deviation", each.deviation}});
  }
  return {{"metric", found.metric}, {"points", found.points},       {"is_whole_grid", found.is_whole_grid},
          {"mean", found.mean},     {"deviation", found.deviation}, {"axes", axes}};
}

/// Bounds and simulations are different metrics.
bool mixes_fidelities(const Results& results) {
  std::set<std::string> fidelities;
  for (const auto& row : results.rows) fidelities.insert(row.fidelity);
  return fidelities.size() > 1;
}

Diagnostics check(const Results& results, const std::string& metric) {
  Diagnostics out;
  if (!metric.empty() && !results.metric(metric)) {
    out.error({make_source("--metric", metric), 1, 1}, "the results have no metric `" + metric + "`",
              help_for_unknown(metric, results.metrics));
  }
  if (mixes_fidelities(results)) {
    out.error({}, "the points are at more than one fidelity", "sweep with `fidelity: roofline` or `full`");
  }
  return out;
}

int sensitivity_command(const SensitivityRequest& request) {
  auto results = read_results(request.folder);
  if (!results) return tell(results.diagnostics());
  Diagnostics wrong = filter(*results, request.where);
  wrong.append(check(*results, request.metric));
  if (wrong.has_errors()) return tell(wrong);
  std::string text;
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (std::size_t column = 0; column < results->metrics.size(); ++column) {
    if (!request.metric.empty() && results->metrics[column] != request.metric) continue;
    const Sensitivity found = sensitivity(*results, column);
    const TextTable table = table_of(*results, found);
    all.push_back(json_of(found));
    text += (text.empty() ? "" : "\n") + (request.format == "csv"        ? as_csv(table)
                                          : request.format == "markdown" ? as_markdown(table)
                                                                         : as_text(table));
  }
  if (request.format == "json") {
    text =
        nlohmann::ordered_json{{"schema", "archsim.sensitivity/1"}, {"name", results->name}, {"metrics", all}}.dump(1) +
        "\n";
  }
  return tell(write_stdout(text));
}

}  // namespace

void add_sweep_sensitivity(CLI::App& sweep, Action& action) {
  const auto request = std::make_shared<SensitivityRequest>();
  CLI::App* command = sweep.add_subcommand("sensitivity", "how much of each metric each axis decides");
  command->add_option("folder", request->folder, "of results")->required()->type_name("DIR");
  command->add_option("--metric", request->metric, "one column; all if it is not given")->type_name("NAME");
  command->add_option("--where", request->where, "among points that meet a condition only")->type_name("EXPR");
  command->add_option("--format", request->format, "table, csv, json or markdown")
      ->check(CLI::IsMember({"table", "csv", "json", "markdown"}))
      ->type_name("NAME")
      ->capture_default_str();
  command->footer(kExamples);
  command->callback([request, &action] { action = [request] { return sensitivity_command(*request); }; });
}

}  // namespace archsim
