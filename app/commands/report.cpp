#include "app/pictures/report/report.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "app/command.h"
#include "app/exit_status.h"
#include "app/files/write_file.h"

namespace archsim {
namespace {

struct ReportRequest {
  std::string run, output;
};

int report(const ReportRequest& request) {
  Diagnostics out = keeps_inputs(request.output, {request.run});
  const auto run = read_run_file(request.run);
  out.append(run.diagnostics());
  if (out.has_errors()) return tell(out);
  const auto page = report_page(*run);
  out.append(page.diagnostics());
  if (page) out.append(write_file(request.output, *page));
  return tell(out);
}

}  // namespace

void add_report(CLI::App& app, Action& action) {
  const auto request = std::make_shared<ReportRequest>();
  CLI::App* command = app.add_subcommand("report", "a run as one HTML file that needs nothing else");
  command->add_option("run", request->run, "result of a run")->required()->type_name("RUN.json");
  command->add_option("-o,--output", request->output, "the report")->required()->type_name("FILE.html");
  command->footer(
      "Examples:\n"
      "  archsim report results/run.json -o report.html\n"
      "  archsim run --config configs/soc/edge_lpddr5.yaml --trace pi0.trace --report report.html");
  command->callback([request, &action] { action = [request] { return report(*request); }; });
}

}  // namespace archsim
