#include "models/dram/exact/timing.h"

#include <algorithm>

namespace archsim {
namespace {

/// `a` + `longer` - `shorter`, not below 0: of `a` between ends, the distance between beginnings.
Slot between_beginnings(Slot a, Slot longer, Slot shorter) { return a + longer - std::min(a + longer, shorter); }

}  // namespace

ExactTiming::ExactTiming(const DramStandard& s, DramTemperature temperature)
    : edges(s.command_edges),
      buses(s.command_buses),
      pseudo_channels(s.pseudo_channels),
      ranks(s.ranks),
      groups(s.bank_groups),
      banks(s.banks),
      burst_bytes(s.burst.value),
      page_bytes(s.page.value),
      slot_seconds(1.0 / (static_cast<double>(s.clock.value) * s.command_edges)) {
  const bool is_hot = temperature == DramTemperature::above_85_c;
  const auto slots = [&](const DramTiming& timing) { return timing.cycles(s.clock).value * s.command_edges; };
  const Slot derate = is_hot ? slots(s.t_derate) : 0;

  activate_length = s.activate_slots;
  precharge_length = s.precharge_slots;
  refresh_length = s.refresh_slots;
  column_length = s.column_slots;
  second_activate_within = slots(s.t_aad);
  splits_activate = second_activate_within > 0;
  syncs_data_clock = s.syncs_data_clock;
  data_clock_runs_on = slots(s.t_wck_post);
  read_latency = slots(s.rl);
  write_latency = slots(s.wl);
  burst = s.burst_clocks.value * s.command_edges;

  const Slot act = activate_length, pre = precharge_length, ref = refresh_length, column = column_length;
  const Slot rp = slots(s.t_rp) + derate, rp_all = slots(s.t_rp_all) + derate, ras = slots(s.t_ras) + derate;
  const Slot rc = std::max(slots(s.t_rc) + 2 * derate, ras + rp);
  activate_to_read = between_beginnings(slots(s.t_rcd) + derate, act, column);
  activate_to_write = between_beginnings(slots(s.t_rcd_write) + derate, act, column);
  activate_to_precharge = between_beginnings(ras, act, pre);
  activate_to_refresh = between_beginnings(rc, act, ref);
  activate_to_activate = rc;
  activate_to_activate_group = slots(s.t_rrd_l) + derate;
  activate_to_activate_rank = slots(s.t_rrd_s) + derate;
  four_activates = slots(s.t_faw);
  precharge_to_activate = between_beginnings(rp, pre, act);
  precharge_to_refresh = between_beginnings(rp, pre, ref);
  precharge_to_precharge = slots(s.t_ppd);
  precharge_all_to_activate = between_beginnings(rp_all, pre, act);
  precharge_all_to_refresh = between_beginnings(slots(s.t_rp_refresh) + derate, pre, ref);

  const Slot group_burst = s.burst_clocks_same_group.value * s.command_edges, rank_gap = burst + slots(s.t_cs);
  const Slot write_data = write_latency + slots(s.t_dqss);
  read_to_read = slots(s.t_ccd_s);
  read_to_read_group = slots(s.t_ccd_l);
  read_to_write = slots(s.t_rtw);
  read_to_precharge = between_beginnings(slots(s.t_rtp), column, pre);
  read_to_other_rank = rank_gap;
  write_to_write = slots(s.t_ccd_s);
  write_to_write_group = slots(s.t_ccd_l_write);
  write_to_read = write_data + burst + slots(s.t_wtr_s);
  write_to_read_group = write_data + group_burst + slots(s.t_wtr_l);
  write_to_precharge = between_beginnings(write_data + burst + slots(s.t_wr), column, pre);
  write_to_read_other_rank = between_beginnings(write_data, rank_gap, read_latency);
  write_to_write_other_rank = rank_gap;

  const Slot rate = is_hot ? s.hot_refresh_rate : 1;
  refresh_to_activate = between_beginnings(slots(s.t_rfc), ref, act);
  refresh_to_refresh = slots(s.t_rfc);
  refresh_bank_to_activate = between_beginnings(slots(s.t_rfc_bank), ref, act);
  refresh_bank_to_refresh = slots(s.t_rfc_bank);
  refresh_bank_to_other_bank = between_beginnings(slots(s.t_rrefd), ref, act);
  refresh_interval = slots(s.t_refi) / rate;
  refresh_bank_interval = slots(s.t_refi_bank) / rate;
  power_down_exit = slots(s.t_xp);
  power_down_stay = slots(s.t_cke);
}

}  // namespace archsim
