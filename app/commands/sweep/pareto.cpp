#include "sweep/analyse/pareto.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "app/command.h"
#include "app/commands/sweep/commands.h"
#include "app/exit_status.h"
#include "app/files/write_file.h"
#include "app/pictures/sweep/front.h"
#include "app/report/sweep_table.h"

namespace archsim {
namespace {

struct ParetoRequest {
  std::string folder, objectives, where, plot, format = "table";
};

constexpr auto kExamples = R"(Examples:
  archsim pareto results
  archsim pareto results --objectives latency,area --where "npu.rows <= 64"
  archsim pareto results --objectives latency,energy -o front.svg)";

TextTable headline(const Results& results, const Pareto& found) {
  std::string names;
  for (const auto& each : found.objectives) {
    names += (names.empty() ? "" : ", ") + std::string(each.is_maximized ? "max " : "min ") + each.column;
  }
  TextTable table{results.name + ": the points that no other beats in everything", {"<", "<"}, {}};
  table.rows = {{"objectives", names},
                {"front", fmt::format("{} of {} feasible points, {} in all", found.rows.size(), found.feasible,
                                      results.rows.size())},
                {"hypervolume", fmt::format("{:.4f} of the box from the best to the worst", found.hypervolume)}};
  if (found.knee) table.rows.push_back({"knee", fmt::format("point {}", results.rows[found.rows[*found.knee]].id)});
  return table;
}

std::string text_of(const ParetoRequest& request, const Results& results, const Pareto& found) {
  const TextTable points = points_table(results, found.rows, "the front");
  if (request.format == "csv") return as_csv(points);
  if (request.format == "markdown") return as_markdown(headline(results, found)) + "\n" + as_markdown(points);
  return as_text(headline(results, found)) + "\n" + as_text(points);
}

int pareto_command(const ParetoRequest& request) {
  auto results = read_results(request.folder);
  if (!results) return tell(results.diagnostics());
  const Diagnostics wrong = filter(*results, request.where);
  if (wrong.has_errors()) return tell(wrong);
  const auto found = pareto(*results, request.objectives);
  if (!found) return tell(found.diagnostics());
  if (!request.plot.empty()) {
    const Diagnostics unplotted = plot_front(*results, *found, request.plot);
    if (unplotted.has_errors()) return tell(unplotted);
  }
  return tell(write_stdout(text_of(request, *results, *found)));
}

}  // namespace

void add_pareto(CLI::App& app, Action& action) {
  const auto request = std::make_shared<ParetoRequest>();
  CLI::App* command = app.add_subcommand("pareto", "the front of a sweep: what no other point beats in everything");
  command->add_option("folder", request->folder, "of results")->required()->type_name("DIR");
  command->add_option("--objectives", request->objectives, "other than the sweep's own: latency,max:rate")
      ->type_name("NAMES");
  command->add_option("--where", request->where, "among points that meet a condition only")->type_name("EXPR");
  command
      ->add_option("-o,--out", request->plot, "draw the front of two or three objectives: .svg, .png or .pdf (gnuplot)")
      ->type_name("FILE");
  command->add_option("--format", request->format, "table, csv or markdown")
      ->check(CLI::IsMember({"table", "csv", "markdown"}))
      ->type_name("NAME")
      ->capture_default_str();
  command->footer(kExamples);
  command->callback([request, &action] { action = [request] { return pareto_command(*request); }; });
}

}  // namespace archsim
