// The tables of standard.h: what each key of a standard's file means, and how a standard's name is read as a param.
#pragma once

#include "models/dram/standard.h"

namespace archsim {

template <>
struct ValueCodec<DramTiming> {
  static ValueShape shape();
  static bool read(const YamlNode& node, const std::string& name, DramTiming& value, Diagnostics& out,
                   const ValueShape& like = shape());
  static Datum datum(const DramTiming& value);
};

template <>
struct ValueCodec<DramStandardName> {
  static ValueShape shape();
  static bool read(const YamlNode& node, const std::string& name, DramStandardName& value, Diagnostics& out,
                   const ValueShape& like = shape());
  static Datum datum(const DramStandardName& value) { return {value.name}; }
};

constexpr auto DramStandard::fields() {
  using P = DramStandard;
  return fields_of(
      param<&P::standard>("name, as a SoC file says it"), param<&P::source>("where the numbers are from, as a whole"),
      param<&P::clock>("command clock (CK)").between(Frequency(1'000'000), Frequency(10'000'000'000)),
      param<&P::burst>("bytes of one read or write command").between(Bytes(8), Bytes(256)).power_of_two(),
      param<&P::burst_clocks>("clocks that a burst takes on the data bus; also the least distance of two bursts")
          .between(Cycles(1), Cycles(64)),
      param<&P::burst_clocks_same_group>("clocks that a burst keeps the columns of its bank group busy")
          .between(Cycles(1), Cycles(64)),
      param<&P::pseudo_channels>("data buses that share the command buses; this file describes one of them")
          .between(1, 4),
      param<&P::ranks>("devices that share the channel in turn").between(1, 8).power_of_two(),
      param<&P::bank_groups>("bank groups of a rank; 1 if the standard has none").between(1, 16).power_of_two(),
      param<&P::banks>("banks of a group").between(1, 64).power_of_two(),
      param<&P::page>("bytes of a row in one bank").between(Bytes(64), Bytes(65536)).power_of_two(),
      param<&P::command_buses>("1: one for all commands; 2: one for rows and one for columns").between(1, 2),
      param<&P::command_edges>("slots for commands in a clock; 2: precharges may go on the falling edge").between(1, 2),
      param<&P::activate_slots>("length of an activate on its bus, in slots").between(1, 16),
      param<&P::precharge_slots>("length of a precharge on its bus, in slots").between(1, 16),
      param<&P::refresh_slots>("length of a refresh on its bus, in slots").between(1, 16),
      param<&P::column_slots>("length of a read or write on its bus, in slots").between(1, 16),
      param<&P::rl>("read command to first data"), param<&P::wl>("write command to first data"),
      param<&P::t_dqss>("how much later than `wl` write data may be"), param<&P::t_rcd>("activate to read"),
      param<&P::t_rcd_write>("activate to write"), param<&P::t_rp>("precharge of one bank to activate"),
      param<&P::t_rp_all>("precharge of all banks to activate"),
      param<&P::t_rp_refresh>("precharge of all banks to refresh"), param<&P::t_ras>("activate to precharge"),
      param<&P::t_rc>("activate to activate, same bank"),
      param<&P::t_rrd_s>("activate to activate, another bank group"),
      param<&P::t_rrd_l>("activate to activate, same bank group"),
      param<&P::t_faw>("window that holds at most four activates"),
      param<&P::t_aad>("activates are two commands, the second at most this later; 0 cycles: one command"),
      param<&P::t_ccd_s>("burst to burst, another bank group"), param<&P::t_ccd_l>("read to read, same bank group"),
      param<&P::t_ccd_l_write>("write to write, same bank group"), param<&P::t_rtp>("read to precharge"),
      param<&P::t_wr>("end of write data to precharge"),
      param<&P::t_wtr_s>("end of write data to read, another bank group"),
      param<&P::t_wtr_l>("end of write data to read, same bank group"),
      param<&P::t_rtw>("read command to write command"), param<&P::t_ppd>("precharge to precharge, another bank"),
      param<&P::t_cs>("bus clear between bursts of two ranks"),
      param<&P::syncs_data_clock>("a command of its own starts the data clock when that has stopped"),
      param<&P::t_wck_post>("how long the data clock runs on after a burst"),
      param<&P::t_refi>("between all-bank refreshes"),
      param<&P::t_refi_bank>("between one-bank refreshes, of any bank; 0 cycles: there are none"),
      param<&P::t_rfc>("all-bank refresh to activate"),
      param<&P::t_rfc_bank>("one-bank refresh to activate of that bank"),
      param<&P::t_rrefd>("one-bank refresh to activate or refresh of another bank"),
      param<&P::t_xp>("end of power-down to any command"), param<&P::t_cke>("least stay in power-down"),
      param<&P::hot_refresh_rate>("how many times as often refreshes come above 85 degrees C").between(1, 8),
      param<&P::t_derate>("longer above 85 degrees C: t_rcd, t_rp, t_ras, t_rrd; t_rc by two of it"));
}

constexpr auto DramStandard::rules() {
  using P = DramStandard;
  return rules_of(
      rule<&P::t_rc>("`t_rc` must be at least `t_ras` + `t_rp`",
                     [](const P& p) { return p.t_rc.time(p.clock) >= p.t_ras.time(p.clock) + p.t_rp.time(p.clock); }),
      rule<&P::t_ras>("`t_ras` must be at least `t_rcd`: a row is read before it is closed",
                      [](const P& p) { return p.t_ras.time(p.clock) >= p.t_rcd.time(p.clock); }),
      rule<&P::t_rrd_l>("`t_rrd_l` must be at least `t_rrd_s`",
                        [](const P& p) { return p.t_rrd_l.time(p.clock) >= p.t_rrd_s.time(p.clock); }),
      rule<&P::t_faw>("`t_faw` must be at least `t_rrd_s`: it holds four activates",
                      [](const P& p) { return p.t_faw.time(p.clock) >= p.t_rrd_s.time(p.clock); }),
      rule<&P::t_rp_all>("`t_rp_all` must be at least `t_rp`",
                         [](const P& p) { return p.t_rp_all.time(p.clock) >= p.t_rp.time(p.clock); }),
      rule<&P::t_ccd_s>("`t_ccd_s` must be at least `burst_clocks`: two bursts do not overlap",
                        [](const P& p) { return p.t_ccd_s.cycles(p.clock) >= p.burst_clocks; }),
      rule<&P::t_ccd_l>("`t_ccd_l` must be at least `t_ccd_s`",
                        [](const P& p) { return p.t_ccd_l.cycles(p.clock) >= p.t_ccd_s.cycles(p.clock); }),
      rule<&P::t_ccd_l_write>("`t_ccd_l_write` must be at least `t_ccd_s`",
                              [](const P& p) { return p.t_ccd_l_write.cycles(p.clock) >= p.t_ccd_s.cycles(p.clock); }),
      rule<&P::t_refi>("`t_refi` must be longer than `t_rp` + `t_rfc` + `t_rcd`, or refresh leaves no time for data",
                       [](const P& p) {
                         return p.t_refi.time(p.clock) >
                                p.t_rp.time(p.clock) + p.t_rfc.time(p.clock) + p.t_rcd.time(p.clock);
                       }),
      rule<&P::t_refi_bank>(
          "`t_refi_bank` must be longer than `t_rrefd`, or banks are refreshed more slowly than asked",
          [](const P& p) {
            const Time interval = p.t_refi_bank.time(p.clock);
            return interval == Time(0) || interval > p.t_rrefd.time(p.clock);
          }),
      rule<&P::page>("`page` must hold at least one `burst`", [](const P& p) { return p.page >= p.burst; }));
}

}  // namespace archsim
