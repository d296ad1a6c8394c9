// Whether one command is one that its engine can execute.
#pragma once

#include <string>
#include <vector>

#include "arch/program/check/limits.h"
#include "arch/program/check/stream_scan.h"

namespace archsim {

/// Sizes, element types, conversions, and local operands inside the capacity.
std::vector<std::string> operand_mistakes(const Command& command, Engine engine, const LocalCapacity& capacity);

/// Memory operands of a dma command in every iteration.
std::vector<std::string> memory_mistakes(const Dma& dma, const ScannedCommand& where,
                                         const std::vector<MemoryRange>& memories);

}  // namespace archsim
