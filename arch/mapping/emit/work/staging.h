// Copies all copies of a tensor to another place in memory, through the scratchpads.
#pragma once

#include "arch/mapping/emit/context.h"

namespace archsim {

void emit_staging(const MappingContext& context, std::uint32_t group, std::uint32_t position, Tape& tape);

}  // namespace archsim
