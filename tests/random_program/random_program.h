// Random legal programs for one accelerator, for comparing executors bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "arch/program/check/limits.h"
#include "arch/program/program.h"

namespace archsim {

struct RandomProgramOptions {
  std::uint64_t commands = 1000;  // executed, loops unrolled; a few more are needed to begin and to end
  std::uint64_t scratchpad = 64 << 10, accumulator = 16 << 10;
  std::uint64_t memory_base = 0x1'0000'0000;
  std::uint32_t largest = 24;  // m, k and n
  bool loops = true;
  bool semaphores = true;  // signals to itself and waits for them
};

struct RandomProgram {
  Program program;  // its host only halts
  ProgramLimits limits;
  std::vector<std::byte> memory;  // what lies at memory_base on
};

/// Loads with all pitches, int8 matmuls of both dataflows, plain and requantizing stores, in loops up to two deep. The engines
/// touch the same bytes again and again, and every hazard is covered by a wait or by a signal. It begins with loads of both local
/// memories, and ends with stores of them, so that memory tells everything.
RandomProgram random_program(std::uint64_t seed, const RandomProgramOptions& options = {});

}  // namespace archsim
