// How long each command of a program took, from when the progress counters counted.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "arch/program/program.h"

namespace archsim {

/// When each of an engine's work commands completed, in order.
using CompletionTimes = std::array<std::vector<std::uint64_t>, kEngines>;

struct CommandTime {
  Engine engine = Engine::load;
  std::size_t position = 0;  // in its stream
  std::uint32_t tag = Command::kNoOperator;
  std::string_view opcode;
  std::uint64_t cycles = 0;
};

/// Every executed work command, stream by stream: the cycles from when it could begin, all that it and those before it in its
/// stream wait for having happened and the command before it having completed, to its own completion. `completions` may end early.
/// For a program of one accelerator; the host has rung whatever it rings at cycle 0.
std::vector<CommandTime> command_times(const AcceleratorStreams& streams, const CompletionTimes& completions);

}  // namespace archsim
