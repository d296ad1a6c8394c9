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
  /// What earliest() is the latest of: as far as the bank, its group and the rank go.
  Slot earliest_of_bank(DramCommand command, unsigned bank) const;
  Slot earliest_of_group(DramCommand command, unsigned group) const;
  Slot earliest_of_rank(DramCommand command, unsigned rank) const;
  /// As far as the command bus goes.
  Slot earliest_on_bus(DramCommand command, Slot from) const;
  /// As far as bus and ranks go, whichever bank: no such command goes earlier.
  Slot earliest_anywhere(DramCommand command, Slot from) const;
  /// `command` goes at `now`. With `closes`, a read or write that precharges its bank when it can.
  void issue(DramCommand command, const DramPlace& at, Slot now, bool closes = false);
  /// `count` reads or writes of one bank are done, the last one at `last`; what they mean to the rank is said by columns_of_rank.
  void columns_of_bank(DramCommand command, const DramPlace& at, Slot last, std::uint64_t count);
  /// The last of all of them, of a channel of one rank.
  void columns_of_rank(DramCommand command, Slot last);
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

  static void raise(Slot& bound, Slot to) { bound = std::max(bound, to); }
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

inline Slot DramDevice::earliest_of_bank(DramCommand command, unsigned index) const {
  const Bank& bank = banks_[index];
  return command == DramCommand::activate ? bank.activate
         : command == DramCommand::read   ? bank.read
         : command == DramCommand::write  ? bank.write
                                          : bank.precharge;
}

inline Slot DramDevice::earliest_of_group(DramCommand command, unsigned index) const {
  const Group& group = groups_[index];
  return command == DramCommand::activate ? group.activate
         : command == DramCommand::read   ? group.read
         : command == DramCommand::write  ? group.write
                                          : 0;
}

inline Slot DramDevice::earliest_of_rank(DramCommand command, unsigned index) const {
  const Rank& rank = ranks_[index];
  return command == DramCommand::activate ? std::max(rank.activate, rank.activates[rank.oldest])
         : command == DramCommand::read   ? rank.read
         : command == DramCommand::write  ? rank.write
                                          : rank.precharge;
}

inline Slot DramDevice::earliest_anywhere(DramCommand command, Slot from) const {
  Slot of_ranks = kNever;
  for (unsigned rank = 0; rank < ranks_.size(); ++rank) of_ranks = std::min(of_ranks, earliest_of_rank(command, rank));
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

inline void DramDevice::occupy_bus(DramCommand command, Slot now) {
  bus_free_[timing_.buses == 2 && is_column(command) ? 1 : 0] = now + timing_.length(command);
}

inline void DramDevice::issue(DramCommand command, const DramPlace& at, Slot now, bool closes) {
  occupy_bus(command, now);
  if (log_ != nullptr) log_->push_back({now, command, at});
  switch (command) {
    case DramCommand::activate:
      return activate(at, now);
    case DramCommand::activate_second:
      banks_[at.bank].state = Row::open;
      return;
    case DramCommand::precharge:
      return precharge(at, now);
    case DramCommand::precharge_all:
      return precharge_all(at.rank, now);
    case DramCommand::sync:
      return;
    case DramCommand::read:
      return read(at, now, closes);
    case DramCommand::write:
      return write(at, now, closes);
    case DramCommand::refresh:
      return refresh(at.rank, now);
    case DramCommand::refresh_bank:
      return refresh_bank(at, now);
  }
}

inline void DramDevice::activate(const DramPlace& at, Slot now) {
  Bank& bank = banks_[at.bank];
  Rank& rank = ranks_[at.rank];
  bank.state = timing_.splits_activate ? Row::activating : Row::open;
  bank.row = at.row;
  bank.columns = 0;
  raise(bank.activate, now + timing_.activate_to_activate);
  raise(bank.read, now + timing_.activate_to_read);
  raise(bank.write, now + timing_.activate_to_write);
  raise(bank.precharge, now + timing_.activate_to_precharge);
  raise(bank.refresh, now + timing_.activate_to_refresh);
  raise(groups_[at.group].activate, now + timing_.activate_to_activate_group);
  raise(rank.activate, now + timing_.activate_to_activate_rank);
  raise(rank.precharge_all, now + timing_.activate_to_precharge);
  raise(rank.refresh, now + timing_.activate_to_refresh);
  raise(rank.refresh_bank, now + timing_.activate_to_activate_rank);
  rank.activates[rank.oldest] = now + timing_.four_activates;
  rank.oldest = (rank.oldest + 1) % 4;
  ++rank.open;
  ++counts_.activates;
}

inline void DramDevice::precharge(const DramPlace& at, Slot now) {
  Bank& bank = banks_[at.bank];
  Rank& rank = ranks_[at.rank];
  bank.state = Row::closed;
  raise(bank.activate, now + timing_.precharge_to_activate);
  raise(bank.refresh, now + timing_.precharge_to_refresh);
  raise(rank.refresh, now + timing_.precharge_to_refresh);
  raise(rank.precharge, now + timing_.precharge_to_precharge);
  raise(rank.precharge_all, now + timing_.precharge_to_precharge);
  --rank.open;
  ++counts_.precharges;
}

inline void DramDevice::read(const DramPlace& at, Slot now, bool closes) {
  Bank& bank = banks_[at.bank];
  Rank& rank = ranks_[at.rank];
  raise(bank.precharge, now + timing_.read_to_precharge);
  raise(groups_[at.group].read, now + timing_.read_to_read_group);
  raise(rank.read, now + timing_.read_to_read);
  raise(rank.write, now + timing_.read_to_write);
  raise(rank.precharge_all, now + timing_.read_to_precharge);
  for (unsigned other = 0; timing_.ranks > 1 && other < timing_.ranks; ++other) {
    if (other == at.rank) continue;
    raise(ranks_[other].read, now + timing_.read_to_other_rank);
    raise(ranks_[other].write, now + std::max(timing_.read_to_other_rank, timing_.read_to_write));
  }
  ++bank.columns;
  ++counts_.reads;
  if (closes) close_after_column(at, bank.precharge);
}

inline void DramDevice::write(const DramPlace& at, Slot now, bool closes) {
  Bank& bank = banks_[at.bank];
  Rank& rank = ranks_[at.rank];
  raise(bank.precharge, now + timing_.write_to_precharge);
  raise(groups_[at.group].write, now + timing_.write_to_write_group);
  raise(groups_[at.group].read, now + timing_.write_to_read_group);
  raise(rank.write, now + timing_.write_to_write);
  raise(rank.read, now + timing_.write_to_read);
  raise(rank.precharge_all, now + timing_.write_to_precharge);
  for (unsigned other = 0; timing_.ranks > 1 && other < timing_.ranks; ++other) {
    if (other == at.rank) continue;
    raise(ranks_[other].read, now + timing_.write_to_read_other_rank);
    raise(ranks_[other].write, now + timing_.write_to_write_other_rank);
  }
  ++bank.columns;
  ++counts_.writes;
  if (closes) close_after_column(at, bank.precharge);
}

inline void DramDevice::columns_of_bank(DramCommand command, const DramPlace& at, Slot last, std::uint64_t count) {
  Bank& bank = banks_[at.bank];
  Group& group = groups_[at.group];
  if (command == DramCommand::write) {
    raise(bank.precharge, last + timing_.write_to_precharge);
    raise(group.write, last + timing_.write_to_write_group);
    raise(group.read, last + timing_.write_to_read_group);
    counts_.writes += count;
  } else {
    raise(bank.precharge, last + timing_.read_to_precharge);
    raise(group.read, last + timing_.read_to_read_group);
    counts_.reads += count;
  }
  bank.columns += static_cast<std::uint32_t>(count);
}

inline void DramDevice::columns_of_rank(DramCommand command, Slot last) {
  Rank& rank = ranks_.front();
  const bool is_write = command == DramCommand::write;
  occupy_bus(command, last);
  raise(rank.read, last + (is_write ? timing_.write_to_read : timing_.read_to_read));
  raise(rank.write, last + (is_write ? timing_.write_to_write : timing_.read_to_write));
  raise(rank.precharge_all, last + (is_write ? timing_.write_to_precharge : timing_.read_to_precharge));
}

}  // namespace archsim
