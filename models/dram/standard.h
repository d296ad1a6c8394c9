// A DRAM standard as data: organization and timings of one channel (HBM: one pseudo-channel), read from configs/dram/NAME.yaml.
//
//     standard: lpddr5-6400
//     clock: 800 MHz
//     bank_groups: 4
//     t_rcd: {value: 18 ns, source: JESD209-5B by way of Ramulator 2.1}
//
// Every timing is a time or a number of clocks, with its source. A time is rounded up to whole clocks where it is used, so
// another clock re-derives it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "arch/describe/diagnostic.h"
#include "arch/describe/table.h"
#include "arch/units/quantity.h"

namespace archsim {

struct DramTiming {
  std::variant<Cycles, Time> value = Cycles(0);
  std::string source = {};

  /// Rounded up to whole cycles of `clock`.
  Cycles cycles(Frequency clock) const;
  /// As exact as the file is.
  Time time(Frequency clock) const;
};

struct DramStandard {
  std::string standard;
  std::string source;
  Frequency clock = Frequency(1'000'000'000);
  Bytes burst = Bytes(32);
  Cycles burst_clocks = Cycles(2);
  Cycles burst_clocks_same_group = Cycles(2);
  unsigned pseudo_channels = 1;
  unsigned ranks = 1;
  unsigned bank_groups = 4;
  unsigned banks = 4;
  Bytes page = Bytes(2048);
  unsigned command_buses = 1;
  unsigned command_edges = 1;
  unsigned activate_slots = 1, precharge_slots = 1, refresh_slots = 1, column_slots = 1;

  DramTiming rl, wl, t_dqss;
  DramTiming t_rcd, t_rcd_write, t_rp, t_rp_all, t_rp_refresh, t_ras, t_rc, t_rrd_s, t_rrd_l, t_faw, t_aad;
  DramTiming t_ccd_s = {Cycles(2)}, t_ccd_l = {Cycles(2)}, t_ccd_l_write = {Cycles(2)};
  DramTiming t_rtp, t_wr, t_wtr_s, t_wtr_l, t_rtw, t_ppd, t_cs;
  bool syncs_data_clock = false;
  DramTiming t_wck_post;
  DramTiming t_refi = {Cycles(1)}, t_refi_bank = {Cycles(1)};
  DramTiming t_rfc, t_rfc_bank, t_rrefd;
  DramTiming t_xp, t_cke;
  unsigned hot_refresh_rate = 1;
  DramTiming t_derate;

  static constexpr auto fields();
  static constexpr auto rules();

  /// Of the data bus.
  Bandwidth peak() const {
    return Bandwidth(static_cast<double>(burst.value) / static_cast<double>(burst_clocks.value) *
                     static_cast<double>(clock.value));
  }
};

/// Reads the text of a standard's file. Every key must be given; `changes`, another file's text, replaces some of them.
Checked<DramStandard> read_dram_standard(const Source& source, const std::optional<Source>& changes = {});

/// The folders where standards are looked for when `user_file` names one: `dram` beside the folder of that file (so
/// configs/soc/x.yaml finds configs/dram), then the program's own configs/dram.
std::vector<std::string> dram_folders(const std::string& user_file);

/// The standard called `name`: its file, or an error at `where` that names those there are.
Checked<DramStandard> find_dram_standard(const std::string& name, const Location& where,
                                         const std::optional<Source>& changes = {});

/// A param that names a standard; it is read when the param is.
struct DramStandardName {
  std::string name = "lpddr5-6400";
  std::shared_ptr<const DramStandard> found = {};

  /// Finds a default that nobody wrote down in the program's own folder; that it is not there is a bug of ours.
  std::shared_ptr<const DramStandard> get() const;
};

}  // namespace archsim

#include "models/dram/standard_table.h"
