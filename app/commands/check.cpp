#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/exit_status.h"
#include "app/files/write_file.h"
#include "app/report/soc_table.h"
#include "app/report/sweep_table.h"
#include "arch/describe/yaml.h"
#include "arch/machine/soc_spec.h"
#include "models/catalog.h"
#include "traces/file/file_kind.h"
#include "traces/file/trace_reader.h"
#include "traces/generate/generate.h"
#include "traces/show/info.h"

namespace archsim {
namespace {

struct CheckRequest {
  std::vector<std::string> files, settings;
};

Diagnostics check_trace(const Checked<Trace>& trace, std::string& text) {
  if (trace) text += trace_info_table(*trace);
  return trace.diagnostics();
}

Diagnostics check_soc(const Source& source, const std::vector<std::string>& settings, std::string& text) {
  const auto spec = read_soc(source, settings, catalog());
  Diagnostics out = spec.diagnostics();
  if (!spec) return out;
  std::string gap;
  for (const TextTable& table : soc_tables(*spec, out)) {
    text += gap + as_text(table);
    gap = "\n";
  }
  return out;
}

Diagnostics check_sweep(const Source& source, std::string& text) {
  const auto plan = read_plan(source);
  if (!plan) return plan.diagnostics();
  std::string gap;
  for (const TextTable& table : plan_tables(*plan)) {
    text += gap + as_text(table);
    gap = "\n";
  }
  return plan.diagnostics();
}

/// A sweep file has `sweep`, a SoC file `soc`, a workload file `workload`.
Diagnostics check_file(const std::string& path, const std::vector<std::string>& settings, std::string& text) {
  const FileKind kind = kind_of_file(path);
  if (kind == FileKind::trace || (kind == FileKind::other && path.ends_with(".trace")))
    return check_trace(read_trace(path), text);
  if (kind == FileKind::run_result) {
    Diagnostics out;
    out.error({make_source(path, ""), 0, 0}, "`" + path + "` is the result of a run, and nothing to check",
              use_of(kind, path));
    return out;
  }
  const auto source = read_source(path);
  if (!source) return source.diagnostics();
  Diagnostics out;
  const auto root = parse_yaml(*source, out);
  if (!root) return out;
  if (root->find("sweep") != nullptr) return check_sweep(*source, text);
  if (root->find("workload") != nullptr) return check_trace(generate_trace(*source, settings), text);
  if (root->find("soc") != nullptr || root->find("blocks") != nullptr) return check_soc(*source, settings, text);
  out.error({*source, 0, 0}, "`" + path + "` is no SoC, workload or sweep file",
            "a SoC file has a key `soc`, a workload file a key `workload`, a sweep file a key `sweep`");
  return out;
}

int check(const CheckRequest& request) {
  int status = exit_status::kDone;
  std::string gap;
  for (const std::string& path : request.files) {
    std::string text;
    const Diagnostics found = check_file(path, request.settings, text);
    if (!text.empty()) {
      const Diagnostics unwritten = write_stdout(fmt::format("{}{}: good\n{}", gap, path, text));
      if (unwritten.has_errors()) return tell(unwritten);
      gap = "\n";
    }
    if (tell(found) != exit_status::kDone) status = exit_status::kWrongInput;
  }
  return status;
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  const auto request = std::make_shared<CheckRequest>();
  CLI::App* command = app.add_subcommand("check", "read and check files, run nothing, print what was derived");
  command->add_option("files", request->files, "SoC files, workload files, sweeps, traces")
      ->required()
      ->type_name("FILE...");
  command->add_option("--set", request->settings, "override a value, as for `run` and `trace build`; may be repeated")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  command->footer(
      "Examples:\n"
      "  archsim check configs/soc/edge_lpddr5.yaml\n"
      "  archsim check configs/soc/edge_lpddr5.yaml --set dram.channels=16\n"
      "  archsim check configs/soc/*.yaml traces/workloads/pi0.yaml");
  command->callback([request, &action] { action = [request] { return check(*request); }; });
}

}  // namespace archsim
