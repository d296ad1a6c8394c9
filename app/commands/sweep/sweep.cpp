#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "app/command.h"
#include "app/commands/sweep/commands.h"
#include "app/commands/sweep/progress.h"
#include "app/exit_status.h"
#include "app/files/write_file.h"
#include "app/report/sweep_table.h"
#include "app/terminal/interrupt.h"
#include "sweep/run/runner.h"
#include "sweep/store/store.h"

namespace archsim {
namespace {

struct SweepRequest {
  std::string file, out, progress = "auto";
  unsigned jobs = 0;
  bool is_resumed = false, is_dry = false, is_quiet = false;
};

constexpr auto kExamples = R"(Examples:
  archsim sweep configs/sweeps/bandwidth_vs_sram.yaml --dry-run
  archsim sweep configs/sweeps/bandwidth_vs_sram.yaml -o results --jobs 2
  archsim sweep configs/sweeps/bandwidth_vs_sram.yaml -o results --resume
  archsim sweep show results --where "npu.rows = 64" --top 5)";

int refuse(const std::string& what, const std::string& help) {
  Diagnostics out;
  out.error({}, what, help);
  return tell(out);
}

int carry_out(const SweepRequest& request, const Plan& plan, const std::string& folder) {
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  SweepCounts counts;
  {
    SweepProgress progress(request.is_quiet ? "off" : request.progress);
    SweepOptions options{.folder = folder, .version = kVersion, .jobs = request.jobs == 0 ? cores : request.jobs};
    options.is_interrupted = is_interrupted;
    options.on_progress = [&](const SweepCounts& now) { progress.show(now); };
    counts = run_sweep(plan, options);
  }
  if (counts.is_interrupted) {
    fmt::print(stderr, "interrupted after {} points; `archsim sweep {} -o {} --resume` continues\n",
               counts.run + counts.kept, request.file, folder);
    return exit_status::kInterrupted;
  }
  if (request.is_quiet) return exit_status::kDone;
  std::string text = as_text(sweep_summary(plan, counts, folder));
  for (const TextTable& table : best_tables(folder)) text += "\n" + as_text(table);
  return tell(write_stdout(text));
}

int sweep(const SweepRequest& request) {
  if (request.file.empty()) return refuse("`archsim sweep` needs a sweep file", "see `archsim sweep --help`");
  const auto source = read_source(request.file);
  if (!source) return tell(source.diagnostics());
  const auto plan = read_plan(*source);
  tell(plan.diagnostics());
  if (!plan) return exit_status::kWrongInput;
  if (request.is_dry) {
    std::string text;
    for (const TextTable& table : plan_tables(*plan)) text += (text.empty() ? "" : "\n") + as_text(table);
    return tell(write_stdout(text));
  }
  const std::string folder = request.out.empty() ? plan->name : request.out;
  if (Store::is_in(folder) && !request.is_resumed) {
    return refuse("`" + folder + "` holds results of a sweep",
                  "`--resume` goes on with them; or name another folder with `-o`");
  }
  const Diagnostics unmade = make_folder(folder);
  if (unmade.has_errors()) return tell(unmade);
  catch_interrupts();
  try {
    return carry_out(request, *plan, folder);
  } catch (const std::runtime_error& error) {
    return refuse(error.what(), "the folder of results must be writable, on a local file system");
  }
}

}  // namespace

void add_sweep(CLI::App& app, Action& action) {
  const auto request = std::make_shared<SweepRequest>();
  CLI::App* command = app.add_subcommand("sweep", "try many machines and workloads, and keep what each comes to");
  command->add_option("file", request->file, "sweep file (docs/sweeps.md)")->type_name("SWEEP.yaml");
  command->add_option("-o,--out", request->out, "folder of results; the sweep's name if it is not given")
      ->type_name("DIR");
  command->add_option("--jobs", request->jobs, "worker processes; as many as cores if it is not given")
      ->check(CLI::Range(1, 4096))
      ->type_name("N");
  command->add_flag("--resume", request->is_resumed, "go on with the results in the folder");
  command->add_flag("--dry-run", request->is_dry,
                    "run nothing: tell the number of points and the time they would take");
  command->add_flag("--quiet", request->is_quiet, "print errors only");
  command->add_option("--progress", request->progress, "auto (on a terminal), on or off")
      ->check(CLI::IsMember({"auto", "on", "off"}))
      ->type_name("MODE")
      ->capture_default_str();
  command->footer(kExamples);
  command->callback([request, command, &action] {
    if (command->get_subcommands().empty()) action = [request] { return sweep(*request); };
  });
  add_sweep_show(*command, action);
  add_sweep_sensitivity(*command, action);
  add_sweep_compare(*command, action);
}

}  // namespace archsim
