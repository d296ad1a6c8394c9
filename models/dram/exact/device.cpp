#include "models/dram/exact/device.h"

namespace archsim {

DramDevice::DramDevice(const ExactTiming& timing)
    : timing_(timing), banks_(timing.bank_count()), groups_(timing.group_count()), ranks_(timing.ranks) {}

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
