#include "models/dram/exact/device.h"

#include <algorithm>

namespace archsim {
namespace {

void raise(Slot& bound, Slot to) { bound = std::max(bound, to); }

}  // namespace

DramDevice::DramDevice(const ExactTiming& timing)
    : timing_(timing), banks_(timing.bank_count()), groups_(timing.group_count()), ranks_(timing.ranks) {}

void DramDevice::occupy_bus(DramCommand command, Slot now) {
  bus_free_[timing_.buses == 2 && is_column(command) ? 1 : 0] = now + timing_.length(command);
}

void DramDevice::issue(DramCommand command, const DramPlace& at, Slot now, bool closes) {
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

void DramDevice::activate(const DramPlace& at, Slot now) {
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

void DramDevice::precharge(const DramPlace& at, Slot now) {
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

void DramDevice::precharge_all(unsigned index, Slot now) {
  Rank& rank = ranks_[index];
  for (unsigned i = 0; i < timing_.banks_of_rank(); ++i) {
    banks_[index * timing_.banks_of_rank() + i].state = Row::closed;
  }
  raise(rank.activate, now + timing_.precharge_all_to_activate);
  raise(rank.refresh, now + timing_.precharge_all_to_refresh);
  raise(rank.precharge, now + timing_.precharge_to_precharge);
  rank.open = 0;
  ++counts_.precharges;
}

void DramDevice::read(const DramPlace& at, Slot now, bool closes) {
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

void DramDevice::write(const DramPlace& at, Slot now, bool closes) {
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

void DramDevice::close_after_column(const DramPlace& at, Slot when) {
  Bank& bank = banks_[at.bank];
  Rank& rank = ranks_[at.rank];
  bank.state = Row::closed;
  raise(bank.activate, when + timing_.precharge_to_activate);
  raise(bank.refresh, when + timing_.precharge_to_refresh);
  raise(rank.refresh, when + timing_.precharge_to_refresh);
  --rank.open;
  ++counts_.precharges;
}

void DramDevice::refresh(unsigned index, Slot now) {
  Rank& rank = ranks_[index];
  raise(rank.activate, now + timing_.refresh_to_activate);
  raise(rank.refresh, now + timing_.refresh_to_refresh);
  raise(rank.precharge_all, now + timing_.refresh_to_refresh);
  ++counts_.refreshes;
}

void DramDevice::refresh_bank(const DramPlace& at, Slot now) {
  Bank& bank = banks_[at.bank];
  Rank& rank = ranks_[at.rank];
  raise(bank.activate, now + timing_.refresh_bank_to_activate);
  raise(bank.refresh, now + timing_.refresh_bank_to_refresh);
  raise(rank.activate, now + timing_.refresh_bank_to_other_bank);
  raise(rank.refresh_bank, now + timing_.refresh_bank_to_other_bank);
  raise(rank.refresh, now + timing_.refresh_bank_to_refresh);
  ++counts_.refreshes;
}

void DramDevice::issue_elsewhere(Slot now) {
  occupy_bus(DramCommand::refresh, now);
  ++counts_.refreshes;
}

void DramDevice::hold_until(Slot slot) {
  for (Slot& free : bus_free_) raise(free, slot);
}

}  // namespace archsim
