// The subcommands of `archsim trace`: one function each adds one.
#pragma once

#include "app/command.h"

namespace archsim {

void add_trace_build(CLI::App& trace, Action& action);
void add_trace_import(CLI::App& trace, Action& action);
void add_trace_info(CLI::App& trace, Action& action);
void add_trace_cat(CLI::App& trace, Action& action);
void add_trace_diff(CLI::App& trace, Action& action);
void add_trace_export(CLI::App& trace, Action& action);

}  // namespace archsim
