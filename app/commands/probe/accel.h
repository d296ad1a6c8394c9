// archsim probe accel: the array alone.
#pragma once

#include "app/command.h"

namespace archsim {

void add_probe_accel(CLI::App& probe, Action& action);

}  // namespace archsim
