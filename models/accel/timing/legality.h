// Which commands an accelerator refuses. The RTL raises its error register on the same conditions.
//
//   illegal command: a payload on the wrong stream; a size of 0; an element type, dataflow, vector function or conversion that the
//                    accelerator or the engine does not have; an operand in the wrong SRAM (matmul: a and w in the scratchpad, out in
//                    the accumulator SRAM)
//   bad address:     a local range beyond its SRAM; an element not aligned to its size (4 bytes in the accumulator SRAM; int8 any);
//                    rows that overlap because their pitch is shorter than they are (0, a repeated row, is allowed for
//                    sources); memory that is not all in one dram or l2 region of the map
#pragma once

#include <optional>
#include <string>

#include "arch/machine/memory_map.h"
#include "arch/machine/run_result.h"
#include "arch/program/command.h"
#include "models/accel/timing/shape.h"

namespace archsim {

struct Refusal {
  FaultKind kind = FaultKind::illegal_command;
  std::string what;
};

/// Why `engine` refuses `command`, one of its work commands; nothing if it is legal.
std::optional<Refusal> refusal(const AcceleratorShape& shape, const MemoryMap& map, Engine engine,
                               const Command& command);

}  // namespace archsim
