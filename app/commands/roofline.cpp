#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/exit_status.h"
#include "app/files/read_inputs.h"
#include "app/files/write_file.h"
#include "app/report/roofline_table.h"
#include "arch/machine/soc_spec.h"
#include "models/roofline/bound.h"
#include "traces/file/trace_reader.h"

namespace archsim {
namespace {

struct RooflineRequest {
  std::string config, trace;
  std::vector<std::string> settings;
  std::string format = "table";
};

constexpr auto kExamples = R"(Examples:
  archsim roofline --config configs/soc/edge_lpddr5.yaml --trace pi0.trace
  archsim roofline --config configs/soc/edge_lpddr5.yaml --trace pi0.trace --set l2.capacity="64 MiB")";

int roofline(const RooflineRequest& request) {
  Diagnostics out;
  const auto spec = read_soc_file(request.config, request.settings);
  out.append(spec.diagnostics());
  const auto trace = read_trace(request.trace);
  out.append(trace.diagnostics());
  tell(out);
  if (out.has_errors()) return exit_status::kWrongInput;
  const auto machine = machine_view(*spec);
  std::string text;
  for (const TextTable& table : roofline_tables(*trace, machine, bound(*trace, machine))) {
    text += (text.empty() ? "" : "\n") + (request.format == "markdown" ? as_markdown(table) : as_text(table));
  }
  return tell(write_stdout(text));
}

}  // namespace

void add_roofline(CLI::App& app, Action& action) {
  const auto request = std::make_shared<RooflineRequest>();
  CLI::App* command = app.add_subcommand("roofline", "the bound that no mapping beats, in closed form");
  command->add_option("--config", request->config, "SoC file")->required()->type_name("SOC.yaml");
  command->add_option("--trace", request->trace, "what is computed")->required()->type_name("FILE.trace");
  command->add_option("--set", request->settings, "override a value of the SoC file; may be repeated")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  command->add_option("--format", request->format, "what is printed: table or markdown")
      ->check(CLI::IsMember({"table", "markdown"}))
      ->type_name("NAME")
      ->capture_default_str();
  command->footer(kExamples);
  command->callback([request, &action] { action = [request] { return roofline(*request); }; });
}

}  // namespace archsim
