#include "models/dram/channel.h"

#include <algorithm>

namespace archsim {
namespace {

// Controllers gather writes (and reads) before they turn the bus round; a smaller access bears its part of that.
// Assumed: 32 entries, the write buffer of the reference controllers' defaults.
constexpr std::uint64_t kBatchBursts = 32;

}  // namespace

ChannelTiming::ChannelTiming(const DramStandard& s)
    : groups(s.bank_groups),
      banks(s.banks),
      burst_bytes(s.burst.value),
      unit_bursts(std::max<std::uint64_t>(1, kUnitBytes / s.burst.value)),
      stripe_bytes(s.page.value * s.bank_groups),
      burst(s.burst_clocks),
      rl(s.rl.cycles(s.clock)),
      wl(s.wl.cycles(s.clock)),
      rcd_read(s.t_rcd.cycles(s.clock)),
      rcd_write(s.t_rcd_write.cycles(s.clock)),
      rp(s.t_rp.cycles(s.clock)),
      ras(s.t_ras.cycles(s.clock)),
      rc(std::max(s.t_rc.cycles(s.clock), s.t_ras.cycles(s.clock) + rp)),
      activate(std::max(s.t_rrd_s.cycles(s.clock), Cycles(ceil_div(s.t_faw.cycles(s.clock).value, 4)))),
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
  activates_.drop_before(now);
}

Channel::Service Channel::serve(Cycles arrival, std::uint64_t first, std::uint64_t end, bool is_write) {
  Service service{Cycles(~std::uint64_t{0}), arrival};
  while (first < end) {
    const std::uint64_t stripe = first / timing_.stripe_bytes, inside = first % timing_.stripe_bytes;
    const std::uint64_t until = std::min(end, (stripe + 1) * timing_.stripe_bytes), bytes = until - first;
    const Run run{.row = stripe / timing_.banks,
                  .bank = stripe % timing_.banks,
                  .first_unit = inside / kUnitBytes,
                  .units = ceil_div(inside + bytes, kUnitBytes) - inside / kUnitBytes,
                  .bursts = ceil_div(inside + bytes, timing_.burst_bytes) - inside / timing_.burst_bytes,
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
  const Cycles ready = open_rows(arrival, run, epoch);
  const Cycles turn = turnaround(run, ready);
  const Cycles length = timing_.burst * run.bursts;
  reserve_refreshes(ready, turn + length);
  const auto booking = bus_.book(ready, turn + length);

  // Two bursts of one unit are in one bank group; other units' bursts would fit between them.
  const Cycles apart = timing_.ccd_l - timing_.burst;
  const Cycles stretch = run.units == 1 ? apart * (run.bursts - 1) : Cycles::zero();
  const Cycles last_command = booking.end - timing_.burst + stretch;
  close_run(run, epoch, booking.begin, booking.end, last_command);
  const Cycles taken = account(arrival, booking.end, length, turn);
  (run.is_write ? counts_.writes : counts_.reads) += run.bursts;
  const Cycles latency = (run.is_write ? timing_.wl : timing_.rl) + timing_.burst;
  return {booking.begin + turn + latency, last_command + latency, taken};
}

Cycles Channel::open_rows(Cycles arrival, const Run& run, std::uint64_t epoch) {
  const Cycles rcd = run.is_write ? timing_.rcd_write : timing_.rcd_read;
  const Cycles unit = timing_.burst * timing_.unit_bursts;
  const std::uint64_t groups = run.groups(timing_);
  std::uint64_t misses = 0;
  Cycles from = std::max(arrival, after_refresh(epoch));
  for (std::uint64_t k = 0; k < groups; ++k) {
    const Bank& candidate = bank(run, k);
    const bool is_open = candidate.epoch == epoch && candidate.row != ~std::uint64_t{0};
    if (is_open && candidate.row == run.row) continue;
    ++misses;
    if (!is_open) continue;
    ++counts_.precharges;
    const Cycles closed = std::max(arrival, candidate.precharge) + timing_.rp;
    from = std::max({from, closed, candidate.activated + timing_.rc});
  }
  Cycles ready = arrival;
  Cycles activate = misses == 0 ? from : activates_.book(from, timing_.activate * misses).begin;
  counts_.activates += misses;
  for (std::uint64_t k = 0; k < groups; ++k) {
    Bank& opened = bank(run, k);
    if (opened.epoch != epoch || opened.row != run.row) {
      opened.epoch = epoch;
      opened.row = run.row;
      opened.activated = activate;
      opened.precharge = activate + timing_.ras;
      activate += timing_.activate;
    }
    const Cycles usable = opened.activated + rcd, turn = unit * k;
    if (usable > turn) ready = std::max(ready, usable - turn);
  }
  return ready;
}

Cycles Channel::turnaround(const Run& run, Cycles earliest) const {
  if (run.is_write == last_is_write_) return Cycles::zero();
  const bool same_group = run.first_unit % timing_.groups == last_group_;
  const Cycles command_to_command =
      run.is_write ? timing_.rtw : timing_.wl + timing_.burst + (same_group ? timing_.wtr_l : timing_.wtr_s);
  Cycles gap = command_to_command - std::min(command_to_command, timing_.burst);
  const Cycles idle = earliest - std::min(earliest, bus_.end());
  gap -= std::min(gap, idle);
  return Cycles(gap.value * std::min(run.bursts, kBatchBursts) / kBatchBursts);
}

void Channel::reserve_refreshes(Cycles earliest, Cycles length) {
  // The last write before a refresh must have recovered; the last read only be through.
  const Cycles before = last_is_write_ ? timing_.wl + timing_.wr : timing_.rtp - std::min(timing_.rtp, timing_.burst);
  const Cycles window = before + timing_.rp + timing_.rfc + timing_.rcd_read;
  Cycles limit = std::max(earliest, bus_.end()) + length;
  for (Cycles begin = timing_.refi * next_refresh_ - before; begin < limit; begin += timing_.refi) {
    bus_.book(std::max(begin, bus_.end()), window);
    limit += window;
    ++next_refresh_;
    ++counts_.precharges;  // of all banks at once
  }
}

void Channel::close_run(const Run& run, std::uint64_t assumed_epoch, Cycles begin, Cycles end, Cycles last_command) {
  const std::uint64_t first_epoch = std::max(assumed_epoch, epoch_at(begin)),
                      last_epoch = std::max(first_epoch, epoch_at(end));
  // Every refresh on the way closes the rows, and they are opened again.
  const std::uint64_t groups = run.groups(timing_);
  counts_.activates += groups * (last_epoch - assumed_epoch);
  const Cycles recovery = run.is_write ? timing_.wl + timing_.burst + timing_.wr : timing_.rtp;
  for (std::uint64_t k = 0; k < groups; ++k) {
    Bank& used = bank(run, k);
    if (last_epoch > used.epoch) {
      used.epoch = last_epoch;
      used.activated = after_refresh(last_epoch);
      used.precharge = used.activated + timing_.ras;
    }
    used.precharge = std::max(used.precharge, last_command + recovery);
  }
  last_is_write_ = run.is_write;
  last_group_ = (run.first_unit + run.units - 1) % timing_.groups;
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
