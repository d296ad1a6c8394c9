// Tensors in the memory of a machine, at their Placement.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/program/datapath/datapath.h"
#include "arch/program/program.h"
#include "arch/program/reference/values.h"
#include "arch/program/sequencer.h"

namespace archsim {

/// One copy, gathered from its layout; faults if it lies outside memory.
Array read_tensor(const Trace& trace, const Program& program, const AddressSpace& memory, std::uint32_t tensor,
                  const std::vector<std::uint32_t>& copy);
void write_tensor(const Trace& trace, const Program& program, AddressSpace& memory, std::uint32_t tensor,
                  const std::vector<std::uint32_t>& copy, const Array& value);

/// The iterations of a trace's loops, for a command inside the stream's loops `loops` that stands for an operator at
/// `position`. Loops of one iteration may be left out of a stream.
Iterations iterations_of(const Trace& trace, const Position& position, const std::vector<LoopIteration>& loops);

}  // namespace archsim
