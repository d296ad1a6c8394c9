#include "traces/diff/diff.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/commands/trace/commands.h"
#include "app/exit_status.h"
#include "app/files/write_file.h"
#include "traces/file/trace_reader.h"

namespace archsim {
namespace {

struct DiffRequest {
  std::string before, after;
  std::string format = "table";
};

int diff(const DiffRequest& request) {
  const auto before = read_trace(request.before);
  const auto after = read_trace(request.after);
  Diagnostics wrong = before.diagnostics();
  wrong.append(after.diagnostics());
  if (wrong.has_errors()) return tell(wrong);
  const auto found = diff_traces(*before, *after);
  const auto text = request.format == "json" ? diff_json(found).dump(1) + "\n" : diff_table(found);
  const int status = tell(write_stdout(text));
  if (status != exit_status::kDone) return status;
  return found.is_equal() ? exit_status::kDone : exit_status::kLimitPassed;
}

}  // namespace

void add_trace_diff(CLI::App& trace, Action& action) {
  const auto request = std::make_shared<DiffRequest>();
  CLI::App* command = trace.add_subcommand("diff", "what differs between two traces; exit status 1 if anything does");
  command->add_option("before", request->before, "trace file")->required()->type_name("BEFORE.trace");
  command->add_option("after", request->after, "trace file")->required()->type_name("AFTER.trace");
  command->add_option("--format", request->format, "table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->type_name("NAME")
      ->capture_default_str();
  command->footer(
      "Examples:\n  archsim trace diff pi0.trace pi0_int8.trace\n"
      "  archsim trace diff pi0.trace pi0_int8.trace --format json");
  command->callback([request, &action] { action = [request] { return diff(*request); }; });
}

}  // namespace archsim
