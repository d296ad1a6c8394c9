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
      param<&P::bank_groups>("bank groups of a channel; 1 if the standard has none").between(1, 16).power_of_two(),
      param<&P::banks>("banks of a group").between(1, 64).power_of_two(),
      param<&P::page>("bytes of a row in one bank").between(Bytes(64), Bytes(65536)).power_of_two(),
      param<&P::rl>("read command to first data"), param<&P::wl>("write command to first data"),
      param<&P::t_rcd>("activate to read"), param<&P::t_rcd_write>("activate to write"),
      param<&P::t_rp>("precharge to activate"), param<&P::t_ras>("activate to precharge"),
      param<&P::t_rc>("activate to activate, same bank"), param<&P::t_rrd>("activate to activate, another bank"),
      param<&P::t_faw>("window that holds at most four activates"),
      param<&P::t_ccd_l>("burst to burst, same bank group"), param<&P::t_rtp>("read to precharge"),
      param<&P::t_wr>("end of write data to precharge"),
      param<&P::t_wtr_s>("end of write data to read, another bank group"),
      param<&P::t_wtr_l>("end of write data to read, same bank group"),
      param<&P::t_rtw>("read command to write command"), param<&P::t_refi>("between all-bank refreshes"),
      param<&P::t_rfc>("all-bank refresh to activate"));
}

constexpr auto DramStandard::rules() {
  using P = DramStandard;
  return rules_of(
      rule<&P::t_rc>("`t_rc` must be at least `t_ras` + `t_rp`",
                     [](const P& p) { return p.t_rc.time(p.clock) >= p.t_ras.time(p.clock) + p.t_rp.time(p.clock); }),
      rule<&P::t_ras>("`t_ras` must be at least `t_rcd`: a row is read before it is closed",
                      [](const P& p) { return p.t_ras.time(p.clock) >= p.t_rcd.time(p.clock); }),
      rule<&P::t_faw>("`t_faw` must be at least `t_rrd`: it holds four activates",
                      [](const P& p) { return p.t_faw.time(p.clock) >= p.t_rrd.time(p.clock); }),
      rule<&P::t_ccd_l>("`t_ccd_l` must be at least `burst_clocks`: two bursts do not overlap",
                        [](const P& p) { return p.t_ccd_l.cycles(p.clock) >= p.burst_clocks; }),
      rule<&P::t_refi>("`t_refi` must be longer than `t_rp` + `t_rfc` + `t_rcd`, or refresh leaves no time for data",
                       [](const P& p) {
                         return p.t_refi.time(p.clock) >
                                p.t_rp.time(p.clock) + p.t_rfc.time(p.clock) + p.t_rcd.time(p.clock);
                       }),
      rule<&P::page>("`page` must hold at least one `burst`", [](const P& p) { return p.page >= p.burst; }));
}

}  // namespace archsim
