// A standard's timings in slots, as the rules from command to command: all that the exact channel knows of a standard.
//
// Timings are between the ends of commands, so a longer command before makes a distance longer, and one after it shorter
// (JESD209-4, JESD79-5 and JESD238 count so; DRAMSys and Ramulator 2.1 agree).
#pragma once

#include "models/dram/exact/command.h"
#include "models/dram/standard.h"

namespace archsim {

enum class DramTemperature { normal, above_85_c };

struct ExactTiming {
  explicit ExactTiming(const DramStandard& standard, DramTemperature temperature = DramTemperature::normal);

  unsigned edges, buses, pseudo_channels, ranks, groups, banks;  // `groups` of a rank, `banks` of a group
  std::uint64_t burst_bytes, page_bytes;
  double slot_seconds;

  // On the command bus.
  Slot activate_length, precharge_length, refresh_length, column_length;
  bool splits_activate, syncs_data_clock;
  Slot second_activate_within, data_clock_runs_on;

  // Command to command, first slot to first slot.
  Slot activate_to_read, activate_to_write, activate_to_precharge, activate_to_refresh;
  Slot activate_to_activate, activate_to_activate_group, activate_to_activate_rank, four_activates;
  Slot precharge_to_activate, precharge_to_refresh, precharge_to_precharge;
  Slot precharge_all_to_activate, precharge_all_to_refresh;
  Slot read_to_read, read_to_read_group, read_to_write, read_to_precharge, read_to_other_rank;
  Slot write_to_write, write_to_write_group, write_to_read, write_to_read_group, write_to_precharge;
  Slot write_to_read_other_rank, write_to_write_other_rank;
  Slot refresh_to_activate, refresh_to_refresh;
  Slot refresh_bank_to_activate, refresh_bank_to_refresh, refresh_bank_to_other_bank;
  Slot refresh_interval, refresh_bank_interval;
  Slot power_down_exit, power_down_stay;

  Slot read_latency, write_latency, burst;  // command to first data; the data

  unsigned bank_count() const { return ranks * groups * banks; }
  unsigned group_count() const { return ranks * groups; }
  unsigned banks_of_rank() const { return groups * banks; }
  double peak_bytes_per_second() const {
    return static_cast<double>(burst_bytes) / (static_cast<double>(burst) * slot_seconds);
  }
  Slot length(DramCommand command) const;
};

inline Slot ExactTiming::length(DramCommand command) const {
  switch (command) {
    case DramCommand::activate:
      return splits_activate ? 1 : activate_length;
    case DramCommand::activate_second:
    case DramCommand::sync:
      return 1;
    case DramCommand::precharge:
    case DramCommand::precharge_all:
      return precharge_length;
    case DramCommand::read:
    case DramCommand::write:
      return column_length;
    case DramCommand::refresh:
    case DramCommand::refresh_bank:
      return refresh_length;
  }
  return 1;
}

}  // namespace archsim
