#include "sweep/analyse/compare.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "app/commands/sweep/commands.h"
#include "app/files/write_file.h"
#include "app/report/sweep_table.h"

namespace archsim {
namespace {

struct CompareRequest {
  std::string older, newer;
};

constexpr auto kExamples = R"(Examples:
  archsim sweep compare results_before results
  archsim sweep compare results_roofline results_full)";

int compare_command(const CompareRequest& request) {
  const auto older = read_results(request.older), newer = read_results(request.newer);
  Diagnostics out = older.diagnostics();
  out.append(newer.diagnostics());
  if (out.has_errors()) return tell(out);
  const auto comparison = compare(*older, *newer);
  TextTable table{
      fmt::format("{} ({}) beside {} ({}): {} points in the first only, {} in the second only", request.newer,
                  newer->fidelity, request.older, older->fidelity, comparison.only_old, comparison.only_new),
      {"<metric", "points of both", "mean change", "least", "most"},
      {}};
  for (const auto& each : comparison.metrics) {
    const auto percent = [&](double change) {
      return each.common == 0 ? "" : fmt::format("{:+.2f} %", 100.0 * change);
    };
    table.rows.push_back(
        {each.metric, fmt::to_string(each.common), percent(each.mean), percent(each.least), percent(each.most)});
  }
  return tell(write_stdout(as_text(table)));
}

}  // namespace

void add_sweep_compare(CLI::App& sweep, Action& action) {
  const auto request = std::make_shared<CompareRequest>();
  CLI::App* command = sweep.add_subcommand("compare", "two sweeps: how the metrics of equal points differ");
  command->add_option("older", request->older, "folder of results")->required()->type_name("OLD");
  command->add_option("newer", request->newer, "folder of results")->required()->type_name("NEW");
  command->footer(kExamples);
  command->callback([request, &action] { action = [request] { return compare_command(*request); }; });
}

}  // namespace archsim
