// Whether a Program is one that the machine can execute at all. Pure; looks at every command once, whatever the loops.
#pragma once

#include <string>
#include <vector>

#include "arch/program/check/limits.h"
#include "arch/program/program.h"

namespace archsim {

/// Everything that is wrong, one sentence a mistake, which names stream, index and command; empty for a legal program:
/// - loops balance, strides stand right behind their loop, counts are at least 1, streams end with halt and only there;
/// - each stream holds its engine's commands and control, and every command has an encoding;
/// - local operands lie inside scratchpad or accumulator, memory operands inside one memory in every loop iteration;
/// - sizes, element types and conversions are ones that the engine has;
/// - no command waits for more completions or signals than the whole program brings.
/// Commands of a stream with broken loops are not looked at further.
std::vector<std::string> check_program(const Program& program, const ProgramLimits& limits);

}  // namespace archsim
