#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "app/calibrate/calibration_report.h"
#include "app/command.h"
#include "app/exit_status.h"
#include "app/files/write_file.h"
#include "arch/describe/read_bytes.h"
#include "traces/file/trace_reader.h"

namespace archsim {
namespace {

struct CalibrateRequest {
  std::string run, trace, measured;
  std::string json, format = "table";
};

constexpr auto kExamples = R"(Examples:
  archsim run --config soc.yaml --trace pi0.trace --json run.json
  archsim calibrate run.json --trace pi0.trace --measured profile.json
  archsim calibrate run.json --trace pi0.trace --measured profile.json --json calibration.json)";

std::string printed(const CalibrateRequest& request, const Calibration& found) {
  std::string text;
  for (const TextTable& table : calibration_tables(found)) {
    text += (text.empty() ? "" : "\n") + (request.format == "markdown" ? as_markdown(table) : as_text(table));
  }
  return text;
}

int calibrate_run(const CalibrateRequest& request) {
  Diagnostics out;
  if (!request.json.empty()) out.append(keeps_inputs(request.json, {request.run, request.trace, request.measured}));
  const auto run_text = read_bytes(request.run), profile_text = read_bytes(request.measured);
  const auto trace = read_trace(request.trace);
  out.append(run_text.diagnostics());
  out.append(profile_text.diagnostics());
  out.append(trace.diagnostics());
  if (out.has_errors()) return tell(out);
  const auto run = read_predicted_run(*run_text, request.run);
  const auto profile = read_profile(*profile_text, request.measured);
  out.append(run.diagnostics());
  out.append(profile.diagnostics());
  if (run && run->trace_digest != trace->digest) {
    out.error({make_source(request.run, ""), 0, 0},
              "`" + request.run + "` is a run of another trace than `" + request.trace + "`",
              "its trace has digest " + run->trace_digest + ", this one " + trace->digest);
  }
  if (out.has_errors()) return tell(out);
  const Calibration found = calibrate(*trace, *run, *profile);
  const std::string json = calibration_json(found);
  if (request.json == "-") return tell(write_stdout(json));
  if (!request.json.empty()) out.append(write_file(request.json, json));
  out.append(write_stdout(request.format == "json" ? json : printed(request, found)));
  return tell(out);
}

}  // namespace

void add_calibrate(CLI::App& app, Action& action) {
  const auto request = std::make_shared<CalibrateRequest>();
  CLI::App* command = app.add_subcommand("calibrate", "times that a profiler measured beside those of a run");
  command->add_option("run", request->run, "a run's result")->required()->type_name("RUN.json");
  command->add_option("--trace", request->trace, "the trace that was run")->required()->type_name("FILE.trace");
  command->add_option("--measured", request->measured, "PyTorch profiler's or another Chrome trace")
      ->required()
      ->type_name("PROFILE.json");
  command->add_option("--json", request->json, "write the calibration there; `-`: standard output")->type_name("FILE");
  command->add_option("--format", request->format, "what is printed: table, json or markdown")
      ->check(CLI::IsMember({"table", "json", "markdown"}))
      ->type_name("NAME")
      ->capture_default_str();
  command->footer(kExamples);
  command->callback([request, &action] { action = [request] { return calibrate_run(*request); }; });
}

}  // namespace archsim
