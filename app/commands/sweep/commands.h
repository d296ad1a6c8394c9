// What stands below `archsim sweep`.
#pragma once

#include "app/command.h"

namespace archsim {

void add_sweep_show(CLI::App& sweep, Action& action);
void add_sweep_sensitivity(CLI::App& sweep, Action& action);
void add_sweep_compare(CLI::App& sweep, Action& action);

}  // namespace archsim
