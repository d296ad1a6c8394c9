#include <CLI/CLI.hpp>

#include "app/command.h"
#include "app/commands/trace/commands.h"

namespace archsim {

void add_trace(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("trace", "make traces and look into them");
  command->require_subcommand(1);
  add_trace_build(*command, action);
  add_trace_import(*command, action);
  add_trace_info(*command, action);
  add_trace_cat(*command, action);
  add_trace_export(*command, action);
  add_trace_diff(*command, action);
  command->footer(
      "Examples:\n"
      "  archsim trace build traces/workloads/pi0.yaml -o pi0.trace\n"
      "  archsim trace import vit.onnx -o vit.trace\n"
      "  archsim trace info pi0.trace");
}

}  // namespace archsim
