// Small machines for tests of the mapper.
#pragma once

#include <ostream>

#include "arch/machine/capabilities.h"
#include "arch/program/check/limits.h"

namespace archsim {

struct TestMachine {
  unsigned accelerators = 1;
  unsigned side = 8;  // rows and columns of the array
  std::uint64_t scratchpad = 64 * 1024;
  std::uint64_t accumulator = 16 * 1024;
  std::uint64_t l2 = 256 * 1024;  // 0: none
  unsigned vector_lanes = 8;      // 0: no vector unit
  bool bf16 = true;               // multiplies bf16, besides int8
};

/// For the names of tests.
inline void PrintTo(const TestMachine& machine, std::ostream* out) {
  *out << machine.accelerators << " accelerators of " << machine.side << "x" << machine.side;
}

/// Knows every vector function that its lanes allow; its host can run everything.
MachineView view_of(const TestMachine& machine);
ProgramLimits limits_of(const MachineView& view);

}  // namespace archsim
