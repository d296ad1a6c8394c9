// The simplest program of a trace: every operator on the host, one after another.
#pragma once

#include <cstdint>

#include "arch/program/check/limits.h"
#include "arch/program/program.h"

namespace archsim {

struct HostProgram {
  Program program;
  ProgramLimits limits;
};

/// One idle accelerator. Tensors lie one behind another, in tile layouts chosen by `seed`.
HostProgram host_program(const Trace& trace, std::uint64_t seed);

}  // namespace archsim
