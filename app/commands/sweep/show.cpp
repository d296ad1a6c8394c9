#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/commands/sweep/commands.h"
#include "app/exit_status.h"
#include "app/files/write_file.h"
#include "app/pictures/sweep/page.h"
#include "app/report/sweep_table.h"

namespace archsim {
namespace {

struct ShowRequest {
  std::string folder, where, page, format = "table";
  std::size_t top = 20;
};

constexpr auto kExamples = R"(Examples:
  archsim sweep show results
  archsim sweep show results --where "l2.capacity <= 16 MiB and latency < 200 ms" --top 5
  archsim sweep show results --format csv --top 0 > points.csv
  archsim sweep show results -o points.html)";

std::string json(const Results& results, const std::vector<std::size_t>& order) {
  nlohmann::ordered_json points = nlohmann::ordered_json::array();
  for (const auto i : order) {
    const ResultRow& row = results.rows[i];
    nlohmann::ordered_json point{{"id", row.id}};
    for (std::size_t a = 0; a < row.axes.size(); ++a) point[results.axes[a]] = row.axes[a];
    for (std::size_t m = 0; m < row.metrics.size(); ++m) point[results.metrics[m]] = row.metrics[m];
    point["status"] = row.status;
    point["error"] = row.error;
    point["digest"] = row.digest;
    point["fidelity"] = row.fidelity;
    points.push_back(std::move(point));
  }
  return nlohmann::ordered_json{{"schema", "archsim.sweep/1"}, {"name", results.name}, {"points", points}}.dump(1) +
         "\n";
}

/// Parallel coordinates.
Diagnostics write_page(const ShowRequest& request, const Results& results) {
  if (!request.page.ends_with(".html")) {
    Diagnostics out;
    out.error({}, "`" + request.page + "` ends in no form of page",
              "`.html`; `archsim pareto -o` draws .svg, .png and .pdf");
    return out;
  }
  const auto front = pareto(results, "");
  if (!front) return front.diagnostics();
  const auto page = sweep_page(results, *front, best_first(results));
  return page ? write_file(request.page, *page) : page.diagnostics();
}

int show(const ShowRequest& request) {
  auto results = read_results(request.folder);
  if (!results) return tell(results.diagnostics());
  const Diagnostics wrong = filter(*results, request.where);
  if (wrong.has_errors()) return tell(wrong);
  if (!request.page.empty()) return tell(write_page(request, *results));
  auto order = best_first(*results);
  const std::size_t all = order.size();
  if (request.top > 0 && order.size() > request.top) order.resize(request.top);
  if (request.format == "json") return tell(write_stdout(json(*results, order)));
  const std::string title = results->name + " at fidelity " + results->fidelity + ": " + std::to_string(order.size()) +
                            " of " + std::to_string(all) + " points, best first";
  const TextTable table = points_table(*results, order, title);
  if (request.format == "csv") return tell(write_stdout(as_csv(table)));
  return tell(write_stdout(request.format == "markdown" ? as_markdown(table) : as_text(table)));
}

}  // namespace

void add_sweep_show(CLI::App& sweep, Action& action) {
  const auto request = std::make_shared<ShowRequest>();
  CLI::App* command = sweep.add_subcommand("show", "the points of a sweep, best first");
  command->add_option("folder", request->folder, "of results")->required()->type_name("DIR");
  command->add_option("--where", request->where, "points that meet a condition on axes, metrics, id and status only")
      ->type_name("EXPR");
  command
      ->add_option("-o,--out", request->page,
                   "a page of parallel coordinates instead, in which points can be picked: .html")
      ->type_name("FILE");
  command->add_option("--top", request->top, "so many at most; 0: all")
      ->check(CLI::NonNegativeNumber)
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--format", request->format, "table, csv, json or markdown")
      ->check(CLI::IsMember({"table", "csv", "json", "markdown"}))
      ->type_name("NAME")
      ->capture_default_str();
  command->footer(kExamples);
  command->callback([request, &action] { action = [request] { return show(*request); }; });
}

}  // namespace archsim
