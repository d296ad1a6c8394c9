#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/commands/trace/commands.h"
#include "app/files/write_file.h"
#include "traces/file/write_trace.h"
#include "traces/generate/generate.h"

namespace archsim {
namespace {

struct BuildRequest {
  std::string workload, out, recipe;
  std::vector<std::string> settings;
};

int build(const BuildRequest& request) {
  const Diagnostics inputs = keeps_inputs(request.out, {request.workload});
  if (inputs.has_errors()) return tell(inputs);
  const auto trace = build_trace(request.workload, request.settings, request.recipe);
  if (!trace) return tell(trace.diagnostics());
  tell(trace.diagnostics());
  const auto written = write_trace(*trace, request.out);
  if (!written) return tell(written.diagnostics());
  return tell(write_stdout(fmt::format("{}: {} bytes, digest {}\n", request.out, written->bytes, written->digest)));
}

}  // namespace

void add_trace_build(CLI::App& parent, Action& action) {
  const auto request = std::make_shared<BuildRequest>();
  CLI::App* command = parent.add_subcommand("build", "make a trace of a workload file");
  command->add_option("workload", request->workload, "workload file")->required()->type_name("WORKLOAD.yaml");
  command->add_option("-o,--output", request->out, "where the trace goes")->required()->type_name("FILE.trace");
  command->add_option("--set", request->settings, "a parameter of the workload; may be repeated")
      ->type_name("PARAM=VALUE")
      ->allow_extra_args(false);
  command
      ->add_option("--recipe", request->recipe,
                   "formats by operator: bf16, int8, fp8, nvfp4, w4a16 or a file (docs/recipes.md)")
      ->check([](const std::string& name) { return name.empty() ? "the recipe's name is missing" : ""; })
      ->type_name("NAME|FILE.yaml");
  command->footer(
      "Examples:\n"
      "  archsim trace build traces/workloads/pi0.yaml -o pi0.trace\n"
      "  archsim trace build traces/workloads/pi0.yaml -o pi0_int8.trace --set dtype=int8\n"
      "  archsim trace build traces/workloads/pi0.yaml -o pi0_w4a16.trace --recipe w4a16 --set steps=5");
  command->callback([request, &action] { action = [request] { return build(*request); }; });
}

}  // namespace archsim
