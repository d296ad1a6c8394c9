// The words of the exact channel: its time, DRAM commands, and the burst, the unit that a controller handles.
#pragma once

#include <cstdint>

namespace archsim {

/// A place for a command: a clock, or half of one where row commands may go on both edges (DramStandard::command_edges).
using Slot = std::uint64_t;
constexpr Slot kNever = ~Slot{0};

enum class DramCommand : std::uint8_t {
  activate,
  activate_second,  // of a standard that sends the row in two commands
  precharge,
  precharge_all,
  sync,  // starts the data clock before a read or write
  read,
  write,
  refresh,
  refresh_bank
};

constexpr bool is_column(DramCommand command) { return command == DramCommand::read || command == DramCommand::write; }

/// Where a burst lives. `bank` counts through all ranks and groups.
struct DramPlace {
  std::uint32_t row = 0, column = 0;
  std::uint16_t bank = 0, group = 0, rank = 0;  // `group` counts through all ranks
};

struct Burst {
  std::uint64_t address = 0;
  std::uint64_t tag = 0;  // whatever its owner knows it by
  DramPlace at = {};
  bool is_write = false;
  std::uint8_t followers = 0;  // bursts of the same request that come after it
  Slot arrival = 0;            // when it was accepted

  DramCommand command() const { return is_write ? DramCommand::write : DramCommand::read; }
};

}  // namespace archsim
