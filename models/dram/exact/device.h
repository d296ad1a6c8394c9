// The banks of one channel: which rows are open, and the earliest slot of every command. Obeys every rule of ExactTiming;
// which command goes is the scheduler's choice.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "models/dram/exact/timing.h"

namespace archsim {

struct DramCounts {
  std::uint64_t activates = 0, precharges = 0;  // a precharge of all banks is one
  std::uint64_t reads = 0, writes = 0, refreshes = 0;
};

struct LoggedCommand {
  Slot slot;
  DramCommand command;
  DramPlace at;
};

class DramDevice {
 public:
  explicit DramDevice(const ExactTiming& timing);

  enum class Row : std::uint8_t { closed, activating, open };
  Row state(unsigned bank) const { return banks_[bank].state; }
  std::uint32_t row(unsigned bank) const { return banks_[bank].row; }
  bool is_hit(const DramPlace& at) const { return banks_[at.bank].state == Row::open && banks_[at.bank].row == at.row; }
  /// Columns read or written since the row was opened.
  std::uint32_t columns_since_activate(unsigned bank) const { return banks_[bank].columns; }
  unsigned open_banks(unsigned rank) const { return ranks_[rank].open; }

  /// The earliest slot for `command` there, not before `from`, as far as timing goes; it never gets earlier.
  Slot earliest(DramCommand command, const DramPlace& at, Slot from) const;
  /// As far as the command bus goes.
  Slot earliest_on_bus(DramCommand command, Slot from) const;
  /// As far as bus and ranks go, whichever bank: no such command goes earlier.
  Slot earliest_anywhere(DramCommand command, Slot from) const;
  /// `command` goes at `now`. With `closes`, a read or write that precharges its bank when it can.
  void issue(DramCommand command, const DramPlace& at, Slot now, bool closes = false);
  /// A refresh of another pseudo-channel goes on our bus.
  void issue_elsewhere(Slot now);
  /// Nothing goes before `slot`: the exit from power-down.
  void hold_until(Slot slot);

  const DramCounts& counts() const { return counts_; }
  /// Writes down every command from now on; null ends it.
  void log_to(std::vector<LoggedCommand>* log) { log_ = log; }
  const ExactTiming& timing() const { return timing_; }

 private:
  struct Bank {
    Slot activate = 0, precharge = 0, read = 0, write = 0, refresh = 0;
    std::uint32_t row = 0, columns = 0;
    Row state = Row::closed;
  };
  struct Group {
    Slot activate = 0, read = 0, write = 0;
  };
  struct Rank {
    Slot activate = 0, precharge = 0, precharge_all = 0, read = 0, write = 0, refresh = 0, refresh_bank = 0;
    std::array<Slot, 4> activates = {};  // a ring of the last four, plus the window
    unsigned oldest = 0, open = 0;
  };

  Slot bus_free(DramCommand command) const { return bus_free_[timing_.buses == 2 && is_column(command) ? 1 : 0]; }
  void occupy_bus(DramCommand command, Slot now);
  void activate(const DramPlace& at, Slot now);
  void precharge(const DramPlace& at, Slot now);
  void precharge_all(unsigned rank, Slot now);
  void read(const DramPlace& at, Slot now, bool closes);
  void write(const DramPlace& at, Slot now, bool closes);
  void close_after_column(const DramPlace& at, Slot when);
  void refresh(unsigned rank, Slot now);
  void refresh_bank(const DramPlace& at, Slot now);

  ExactTiming timing_;
  std::vector<Bank> banks_;
  std::vector<Group> groups_;
  std::vector<Rank> ranks_;
  std::array<Slot, 2> bus_free_ = {};
  DramCounts counts_;
  std::vector<LoggedCommand>* log_ = nullptr;
};

inline Slot DramDevice::earliest_on_bus(DramCommand command, Slot from) const {
  const Slot slot = std::max(from, bus_free(command));
  return timing_.edges == 2 && command != DramCommand::precharge ? slot + (slot & 1) : slot;
}

inline Slot DramDevice::earliest_anywhere(DramCommand command, Slot from) const {
  Slot of_ranks = kNever;
  for (const Rank& rank : ranks_) {
    const Slot slot = command == DramCommand::activate ? std::max(rank.activate, rank.activates[rank.oldest])
                      : command == DramCommand::read   ? rank.read
                      : command == DramCommand::write  ? rank.write
                                                       : rank.precharge;
    of_ranks = std::min(of_ranks, slot);
  }
  return std::max({from, bus_free(command), of_ranks});
}

inline Slot DramDevice::earliest(DramCommand command, const DramPlace& at, Slot from) const {
  const Bank& bank = banks_[at.bank];
  const Group& group = groups_[at.group];
  const Rank& rank = ranks_[at.rank];
  Slot slot = std::max(from, bus_free(command));
  switch (command) {
    case DramCommand::activate:
      slot = std::max({slot, bank.activate, group.activate, rank.activate, rank.activates[rank.oldest]});
      break;
    case DramCommand::precharge:
      return std::max({slot, bank.precharge, rank.precharge});  // on either edge
    case DramCommand::precharge_all:
      return std::max(slot, rank.precharge_all);
    case DramCommand::read:
      slot = std::max({slot, bank.read, group.read, rank.read});
      break;
    case DramCommand::write:
      slot = std::max({slot, bank.write, group.write, rank.write});
      break;
    case DramCommand::refresh:
      slot = std::max(slot, rank.refresh);
      break;
    case DramCommand::refresh_bank:
      slot = std::max({slot, bank.refresh, rank.refresh_bank});
      break;
    case DramCommand::activate_second:
    case DramCommand::sync:
      break;
  }
  return timing_.edges == 2 ? slot + (slot & 1) : slot;
}

}  // namespace archsim
