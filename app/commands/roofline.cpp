#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/exit_status.h"
#include "app/files/read_inputs.h"
#include "app/files/write_file.h"
#include "app/pictures/roofline/draw.h"
#include "app/report/roofline_table.h"
#include "arch/machine/soc_spec.h"
#include "models/roofline/bound.h"
#include "traces/file/trace_reader.h"

namespace archsim {
namespace {

struct RooflineRequest {
  std::vector<std::string> runs;
  std::string config, trace;
  std::vector<std::string> settings;
  std::string output, colour_by = "auto";
  std::string format = "table";
};

constexpr auto kExamples = R"(Examples:
  archsim roofline --config configs/soc/edge_lpddr5.yaml --trace pi0.trace
  archsim roofline --config configs/soc/edge_lpddr5.yaml --trace pi0.trace --set l2.capacity="64 MiB" -o roof.png
  archsim roofline results/run.json -o roof.svg
  archsim roofline edge.json humanoid.json -o both.html)";

bool is_given_as_asked(const RooflineRequest& request, Diagnostics& out) {
  const bool has_runs = !request.runs.empty(), has_machine = !request.config.empty() || !request.trace.empty();
  if (has_runs && (has_machine || !request.settings.empty())) {
    out.error({}, "a run brings its machine and trace along: `--config`, `--trace` and `--set` do not go with it",
              "name runs, or `--config` and `--trace`");
  } else if (!has_runs && (request.config.empty() || request.trace.empty())) {
    out.error({}, "neither a run nor a machine with a trace is given",
              "archsim roofline RUN.json -o plot.svg, or archsim roofline --config SOC.yaml --trace FILE.trace");
  } else if (has_runs && request.output.empty()) {
    out.error({}, "where to draw is missing", "end with `-o plot.svg`, or .png, .pdf or .html");
  }
  return !out.has_errors();
}

struct Job {
  std::vector<RooflineSeries> series;
  std::string text;  // of no run: the tables
};

void read_runs(const RooflineRequest& request, Job& job, Diagnostics& out) {
  for (const std::string& path : request.runs) {
    const auto run = read_run_file(path);
    out.append(run.diagnostics());
    if (!run) continue;
    auto series = roofline_of(*run);
    out.append(series.diagnostics());
    if (series) job.series.push_back(*std::move(series));
  }
}

void read_machine(const RooflineRequest& request, Job& job, Diagnostics& out) {
  const auto spec = read_soc_file(request.config, request.settings);
  out.append(spec.diagnostics());
  const auto trace = read_trace(request.trace);
  out.append(trace.diagnostics());
  if (out.has_errors()) return;
  const auto machine = machine_view(*spec);
  const Bound lower = bound(*trace, machine);
  job.series.push_back(roofline_of(*trace, *spec, machine, lower));
  for (const TextTable& table : roofline_tables(*trace, machine, lower)) {
    job.text += (job.text.empty() ? "" : "\n") + (request.format == "markdown" ? as_markdown(table) : as_text(table));
  }
}

int roofline(const RooflineRequest& request) {
  Diagnostics out;
  if (!is_given_as_asked(request, out)) return tell(out);
  if (!request.output.empty()) {
    auto inputs = request.runs;
    inputs.insert(inputs.end(), {request.config, request.trace});
    out.append(keeps_inputs(request.output, inputs));
    out.append(can_draw_into(request.output));
  }
  Job job;
  if (request.runs.empty()) {
    read_machine(request, job, out);
  } else {
    read_runs(request, job, out);
  }
  if (out.has_errors()) return tell(out);
  if (request.output.empty()) return tell(out), tell(write_stdout(job.text));
  const auto picture = draw_roofline(job.series, colour_by_from(request.colour_by, job.series.size()), request.output);
  out.append(picture.diagnostics());
  if (picture) out.append(write_file(request.output, *picture));
  return tell(out);
}

}  // namespace

void add_roofline(CLI::App& app, Action& action) {
  const auto request = std::make_shared<RooflineRequest>();
  CLI::App* command = app.add_subcommand("roofline", "the bound that no mapping beats; runs under their ceilings");
  command->add_option("runs", request->runs, "results of runs, to be drawn together")->type_name("RUN.json...");
  command->add_option("--config", request->config, "SoC file, instead of runs")->type_name("SOC.yaml");
  command->add_option("--trace", request->trace, "what is computed on it")->type_name("FILE.trace");
  command->add_option("--set", request->settings, "override a value of the SoC file; may be repeated")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  command->add_option("-o,--output", request->output, "the picture, by its ending: .svg, .png, .pdf, .html")
      ->type_name("FILE");
  command->add_option("--color-by", request->colour_by, "what dots are coloured by: bound, stage, run or auto")
      ->check(CLI::IsMember({"auto", "bound", "stage", "run"}))
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--format", request->format, "what is printed without a picture: table or markdown")
      ->check(CLI::IsMember({"table", "markdown"}))
      ->type_name("NAME")
      ->capture_default_str();
  command->footer(kExamples);
  command->callback([request, &action] { action = [request] { return roofline(*request); }; });
}

}  // namespace archsim
