#include "models/dram/channel.h"

#include <algorithm>

namespace archsim {
namespace {

// Of the default controller (configs/dram/controllers/default.yaml): the bursts that its buffer of reads (or of writes) holds,
// and those that it writes before it turns back to reading.
constexpr std::uint64_t kPlaces = BufferPlaces::kPlaces, kGathered = 26 - 6;

Cycles command_clocks(const DramStandard& standard, unsigned slots) {
  return standard.command_buses == 2 ? Cycles::zero() : Cycles(ceil_div(slots, standard.command_edges));
}

}  // namespace

ChannelTiming::ChannelTiming(const DramStandard& s)
    : groups(s.bank_groups),
      banks(s.banks),
      burst_bytes(s.burst.value),
      unit_bursts(std::max<std::uint64_t>(1, kUnitBytes / s.burst.value)),
      stripe_bytes(s.page.value * s.bank_groups),
      of_groups(groups),
      of_banks(banks),
      of_burst(burst_bytes),
      of_unit(unit_bursts),
      of_stripe(stripe_bytes),
      burst(s.burst_clocks),
      rl(s.rl.cycles(s.clock)),
      wl(s.wl.cycles(s.clock)),
      rcd_read(s.t_rcd.cycles(s.clock)),
      rcd_write(s.t_rcd_write.cycles(s.clock)),
      rp(s.t_rp.cycles(s.clock)),
      ras(s.t_ras.cycles(s.clock)),
      rc(std::max(s.t_rc.cycles(s.clock), s.t_ras.cycles(s.clock) + rp)),
      four_activates(std::max(s.t_rrd_s.cycles(s.clock) * 4, s.t_faw.cycles(s.clock))),
      row_commands(command_clocks(s, (s.t_aad.cycles(s.clock) > Cycles(0) ? 2 : s.activate_slots) + s.precharge_slots)),
      column_command(command_clocks(s, s.column_slots)),
      ccd_l(s.t_ccd_l.cycles(s.clock)),
      rtp(s.t_rtp.cycles(s.clock)),
      wr(s.t_wr.cycles(s.clock)),
      wtr_s(s.t_wtr_s.cycles(s.clock)),
      wtr_l(s.t_wtr_l.cycles(s.clock)),
      rtw(s.t_rtw.cycles(s.clock)),
      refi(s.t_refi.cycles(s.clock)),
      rfc(s.t_rfc.cycles(s.clock)) {}

Cycles ChannelTiming::data_time(std::uint64_t bursts) const {
  const Cycles spacing = bursts <= unit_bursts ? ccd_l : burst;
  return spacing * (bursts - 1) + burst;
}

Cycles ChannelTiming::idle_read(std::uint64_t bursts) const { return rcd_read + rl + data_time(bursts); }

Cycles ChannelTiming::idle_write(std::uint64_t bursts) const { return rcd_write + wl + data_time(bursts); }

Channel::Channel(const ChannelTiming& timing) : timing_(timing), banks_(std::size_t{timing.groups} * timing.banks) {}

void Channel::drop_before(Cycles now) {
  bus_.drop_before(now);
  commands_.drop_before(now);
  activates_.drop_before(now * 4);
}

Channel::Service Channel::serve(Cycles arrival, std::uint64_t first, std::uint64_t end, bool is_write) {
  Service service{Cycles(~std::uint64_t{0}), arrival, std::max(arrival, places_.free_for(0))};
  while (first < end) {
    const std::uint64_t stripe = timing_.of_stripe.quotient(first), inside = timing_.of_stripe.remainder(first);
    const std::uint64_t until = std::min(end, (stripe + 1) * timing_.stripe_bytes), bytes = until - first;
    const Run run{.row = timing_.of_banks.quotient(stripe),
                  .bank = timing_.of_banks.remainder(stripe),
                  .first_unit = inside / kUnitBytes,
                  .units = ceil_div(inside + bytes, kUnitBytes) - inside / kUnitBytes,
                  .bursts = timing_.of_burst.ceil(inside + bytes) - timing_.of_burst.quotient(inside),
                  .is_write = is_write};
    const Service part = serve_run(arrival, run);
    service.first = std::min(service.first, part.first);
    service.last = std::max(service.last, part.last);
    service.taken += part.taken;
    first = until;
  }
  return service;
}

Channel::Service Channel::serve_run(Cycles arrival, const Run& run) {
  // Rows are opened for when the bus gets to them, which may be behind the next refresh.
  const std::uint64_t epoch = epoch_at(std::max(arrival, bus_.end()));
  if (run.bursts <= kPlaces && run.groups(timing_) > 1 && misses_a_row(run, epoch)) return serve_by_bank(arrival, run);
  const Cycles accepted = std::max(arrival, places_.free_for(0));
  Opened opened = open_rows(arrival, run, epoch);
  const Cycles turn = turnaround(run, opened);
  const Cycles length = timing_.burst * run.bursts;
  if (run.bursts <= kPlaces) {
    const Cycles commands = timing_.column_command * run.bursts + timing_.row_commands * opened.misses;
    const Cycles sent = commands_.book(accepted, commands).end;
    if (sent > length) opened.ready = std::max(opened.ready, sent - length);
  }
  reserve_refreshes(opened.ready, turn + length);
  const auto booking = bus_.book(opened.ready, turn + length);

  // Bursts of one bank group are further apart; other groups' fit between them.
  const Cycles apart = run.groups(timing_) == 1 ? timing_.ccd_l : timing_.burst;
  const Cycles last_command = std::max(booking.end - timing_.burst, opened.ready + turn + apart * (run.bursts - 1));
  const std::uint64_t after = bursts_after_refresh(run, booking.begin, booking.end);
  close_run(run, epoch, booking.begin, booking.end, last_command, after);
  leave_buffer(run, opened, booking.begin, last_command, after);
  const Cycles taken = account(arrival, booking.end, length, turn);
  (run.is_write ? counts_.writes : counts_.reads) += run.bursts;
  const Cycles latency = (run.is_write ? timing_.wl : timing_.rl) + timing_.burst;
  return {booking.begin + turn + latency, last_command + latency, accepted, taken};
}

Channel::Service Channel::serve_by_bank(Cycles arrival, const Run& run) {
  const std::uint64_t groups = run.groups(timing_);
  Service service{Cycles(~std::uint64_t{0}), arrival, std::max(arrival, places_.free_for(0))};
  std::uint64_t left = run.bursts;
  for (std::uint64_t k = 0; k < groups; ++k) {
    Run part = run;
    part.is_of_one_bank = true;
    part.first_unit = run.first_unit + k;
    part.units = (run.units - k + groups - 1) / groups;
    // The first and the last unit may be less than whole; which bank has a burst more or less makes no difference.
    part.bursts = k + 1 == groups ? left : std::min(left - (groups - 1 - k), part.units * timing_.unit_bursts);
    left -= part.bursts;
    const Service served = serve_run(arrival, part);
    service.first = std::min(service.first, served.first);
    service.last = std::max(service.last, served.last);
    service.taken += served.taken;
  }
  return service;
}

bool Channel::misses_a_row(const Run& run, std::uint64_t epoch) const {
  for (std::uint64_t k = 0; k < run.groups(timing_); ++k) {
    const Bank& candidate = banks_[bank_of(run, k)];
    if (candidate.epoch != epoch || candidate.row != run.row) return true;
  }
  return false;
}

Channel::Opened Channel::open_rows(Cycles arrival, const Run& run, std::uint64_t epoch) {
  const Cycles rcd = run.is_write ? timing_.rcd_write : timing_.rcd_read;
  const Cycles unit = timing_.burst * timing_.unit_bursts;
  const std::uint64_t groups = run.groups(timing_);
  Opened opened{std::max(arrival, places_.free_for(0)), 0};
  for (std::uint64_t k = 0; k < groups; ++k) {
    Bank& needed = bank(run, k);
    if (needed.epoch != epoch || needed.row != run.row) {
      ++opened.misses;
      open(needed, run.row, std::max(arrival, places_.free_for(k * timing_.unit_bursts)), epoch);
    }
    const Cycles usable = needed.activated + rcd, turn = unit * k;
    if (usable > turn) opened.ready = std::max(opened.ready, usable - turn);
  }
  return opened;
}

void Channel::open(Bank& bank, std::uint64_t row, Cycles from, std::uint64_t epoch) {
  const bool was_open = bank.row != ~std::uint64_t{0};
  if (was_open && bank.epoch + 1 == epoch && bank.row != row) {
    // The buffer may have seen it before the refresh: then the row was opened in vain, but for one burst.
    const Cycles before = std::max(std::max(from, bank.precharge) + timing_.rp, bank.activated + timing_.rc);
    if (before < timing_.refi * epoch) {
      ++counts_.precharges;
      ++counts_.activates;
    }
  }
  from = std::max(from, after_refresh(epoch));
  if (was_open && bank.epoch == epoch) {
    ++counts_.precharges;
    from = std::max(std::max(from, bank.precharge) + timing_.rp, bank.activated + timing_.rc);
  }
  ++counts_.activates;
  bank.epoch = epoch;
  bank.row = row;
  bank.activated = Cycles(ceil_div(activates_.book(from * 4, timing_.four_activates).begin.value, 4));
  bank.precharge = bank.activated + timing_.ras;
}

void Channel::leave_buffer(const Run& run, const Opened& opened, Cycles begin, Cycles last_command,
                           std::uint64_t after) {
  if (after < run.bursts)
    places_.add(std::max(begin, timing_.refi * epoch_at(last_command)), timing_.burst, run.bursts - after);
  if (run.bursts > kPlaces || opened.misses == 0) return places_.add(last_command, timing_.burst, after);
  // The burst that opens a row leaves with the activate.
  for (std::uint64_t k = 0; k < run.groups(timing_); ++k) places_.add(bank(run, k).activated);
  if (after > opened.misses) places_.add(last_command, timing_.burst, after - opened.misses);
}

std::uint64_t Channel::bursts_after_refresh(const Run& run, Cycles begin, Cycles end) const {
  const std::uint64_t epoch = epoch_at(end);
  if (epoch_at(begin) == epoch) return run.bursts;
  const Cycles resumed = after_refresh(epoch) + timing_.rcd_read;
  return end <= resumed ? 0 : std::min(run.bursts, ceil_div((end - resumed).value, timing_.burst.value));
}

Cycles Channel::turn_to(bool write, bool same_group) const {
  const Cycles command_to_command =
      write ? timing_.rtw : timing_.wl + timing_.burst + (same_group ? timing_.wtr_l : timing_.wtr_s);
  return command_to_command - std::min(command_to_command, timing_.burst);
}

Cycles Channel::turnaround(const Run& run, const Opened& opened) const {
  if (run.is_write == last_is_write_) return Cycles::zero();
  if (run.is_write && run.bursts < kGathered) {
    // Short writes are gathered, and each bears its part of turning to them and back. Rows are opened only for the side whose
    // turn it is, so that theirs, and then those of reads, are waited for as well.
    const Cycles rows = opened.misses > 0 ? timing_.rp + timing_.rcd_read : Cycles::zero();
    const Cycles both = std::max(turn_to(true, false), rows) + std::max(turn_to(false, false), rows);
    return Cycles(both.value * run.bursts / kGathered);
  }
  if (last_was_gathered_) return Cycles::zero();
  const Cycles gap = turn_to(run.is_write, timing_.of_groups.remainder(run.first_unit) == last_group_);
  return gap - std::min(gap, opened.ready - std::min(opened.ready, bus_.end()));
}

void Channel::reserve_refreshes(Cycles earliest, Cycles length) {
  // The last write before a refresh must have recovered; the last read only be through.
  const Cycles before = last_is_write_ ? timing_.wl + timing_.wr : timing_.rtp - std::min(timing_.rtp, timing_.burst);
  const Cycles window = before + timing_.rp + timing_.rfc + timing_.rcd_read;
  const Cycles start = std::max(earliest, bus_.end());
  Cycles limit = start + length;
  for (Cycles begin = timing_.refi * next_refresh_ - before; begin < limit; begin += timing_.refi) {
    const auto refresh = bus_.book(std::max(begin, bus_.end()), window);
    // Only what it takes of the run's own time puts the run's end off; after an idle time most are long over.
    limit += refresh.end - std::min(refresh.end, std::max(refresh.begin, start));
    ++next_refresh_;
    ++counts_.precharges;  // of all banks at once
  }
}

void Channel::close_run(const Run& run, std::uint64_t assumed_epoch, Cycles begin, Cycles end, Cycles last_command,
                        std::uint64_t after) {
  const std::uint64_t first_epoch = std::max(assumed_epoch, epoch_at(begin)),
                      last_epoch = std::max(first_epoch, epoch_at(end));
  const std::uint64_t groups = run.groups(timing_), units_after = timing_.of_unit.ceil(after);
  const Cycles recovery = run.is_write ? timing_.wl + timing_.burst + timing_.wr : timing_.rtp;
  for (std::uint64_t k = 0; k < groups; ++k) {
    Bank& used = bank(run, k);
    if (last_epoch > used.epoch) {
      // A refresh on the way closed the row; it is opened again if something of it is left.
      const bool is_left =
          units_after >= groups || (k + units_after + groups - run.units % groups) % groups < units_after;
      if (!is_left) continue;
      counts_.activates += last_epoch - used.epoch;
      used.epoch = last_epoch;
      used.activated = after_refresh(last_epoch);
      used.precharge = used.activated + timing_.ras;
    }
    used.precharge = std::max(used.precharge, last_command + recovery);
  }
  last_is_write_ = run.is_write;
  last_was_gathered_ = run.is_write && run.bursts < kGathered;
  last_group_ = timing_.of_groups.remainder(run.first_unit + run.units - 1);
}

Cycles Channel::account(Cycles arrival, Cycles end, Cycles busy, Cycles turnaround) {
  shares_.busy += busy;
  shares_.turnaround += turnaround;
  const Cycles from = std::max(arrival, asked_until_);
  if (end <= from) return Cycles::zero();
  const bool was_idle = arrival >= asked_until_;
  shares_.asked += end - from;
  shares_.refresh += timing_.refresh_window() * (epoch_at(end) - epoch_at(from));
  asked_until_ = end;
  return was_idle ? std::min(end - from, busy + turnaround) : end - from;
}

}  // namespace archsim
