// Which repeats of a planned trace a sampled run leaves out.
#pragma once

#include "arch/mapping/planned.h"
#include "arch/program/sampling.h"

namespace archsim {

/// Shortens the loops of `planned`, so that program_of writes a program that executes as few iterations as tell how long the
/// others take. Where tensors lie, and how each operator is done, stays as it was planned.
Sampling sample(Planned& planned, const MachineView& machine);

}  // namespace archsim
