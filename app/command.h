// The subcommands of the program: one function each adds one to the command line.
#pragma once

#include <functional>
#include <string>

#include "arch/describe/diagnostic.h"

namespace CLI {
class App;
}

namespace archsim {

/// What the chosen subcommand does; returns the exit status.
using Action = std::function<int()>;

void add_run(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_describe(CLI::App& app, Action& action);
void add_trace(CLI::App& app, Action& action);
void add_roofline(CLI::App& app, Action& action);
void add_probe(CLI::App& app, Action& action);
void add_probe_noc(CLI::App& probe, Action& action);
void add_probe_sram(CLI::App& probe, Action& action);
void add_cosim(CLI::App& app, Action& action);
void add_diff(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_calibrate(CLI::App& app, Action& action);
void add_sweep(CLI::App& app, Action& action);
void add_explain(CLI::App& app, Action& action);
void add_pareto(CLI::App& app, Action& action);
void add_ppa(CLI::App& app, Action& action);
void add_validate(CLI::App& app, Action& action);

/// Prints diagnostics to standard error. Exit status kWrongInput if there is an error among them, else kDone.
int tell(const Diagnostics& diagnostics);

extern const char* const kVersion;

}  // namespace archsim
