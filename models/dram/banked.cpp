#include "models/dram/banked.h"

#include <fmt/format.h>

#include <algorithm>

namespace archsim {
namespace {

Interleave interleave_of(const BankedDramParams& params) {
  return {.granule = params.interleave.value, .ways = params.channels, .ports = params.ports};
}

/// The shares of one channel. A run that was stopped has bookings that lie ahead, so each share gets what time is left.
EngineReport channel_report(std::string name, const Channel::Shares& shares, const ClockGrid& grid, Time elapsed) {
  Time left = elapsed;
  const auto take = [&left](Time time) {
    const Time taken = std::min(time, left);
    left -= taken;
    return taken;
  };
  EngineReport report{.name = std::move(name)};
  report.busy = take(grid.span(shares.busy));
  const Time turnaround = take(grid.span(shares.turnaround));
  const Time refresh = take(grid.span(shares.refresh));
  const Time asked = grid.span(shares.asked), known = report.busy + turnaround + refresh;
  const Time activate = take(asked > known ? asked - known : Time::zero());
  report.waits = {{"turnaround", turnaround}, {"refresh", refresh}, {"activate", activate}};
  report.idle = left;
  return report;
}

}  // namespace

BankedDram::BankedDram(const sc_core::sc_module_name& name, const BankedDramParams& params, const BuildContext& context)
    : Model(name, params, context),
      standard_(params.standard.get()),
      grid_(standard_->clock),
      timing_(*standard_),
      ports_of_(Dealing::to_ports(interleave_of(params))),
      channels_of_(Dealing::within_a_port(interleave_of(params))),
      booked_(params.order == DramOrder::booked ? params.channels : 0, Channel(timing_)),
      ordered_(params.order == DramOrder::controller ? params.channels : 0, OrderedChannel(*standard_)),
      background_(Bandwidth(standard_->peak().value * params.channels * params.background.share),
                  params.background.burst),
      ports_(context,
             {.resource = Resource::dram,
              .region = RegionKind::dram,
              .interleave = interleave_of(params),
              .capacity = params.capacity},
             [this](const MemoryAccess& access) { return serve(access); }) {}

MemoryService BankedDram::serve(const MemoryAccess& access) {
  const unsigned channels_a_port = params_.channels / params_.ports;
  const Cycles arrival = grid_.edge_at(admitted(access));
  const Cycles now = grid_.edge_at(time_of(sc_core::sc_time_stamp()));
  std::uint64_t bytes = 0;
  std::uint64_t sum_taken = 0, most_taken = 0;
  std::array<std::uint64_t, kMostChannels> taken{};
  Channel::Service whole{Cycles(~std::uint64_t{0}), Cycles::zero(), Cycles::zero()};
  const unsigned first_channel = access.port * channels_a_port;
  for (unsigned i = 0; i < channels_a_port && !booked_.empty(); ++i) booked_[first_channel + i].drop_before(now);
  for (std::uint64_t row = 0; row < access.rows.count; ++row) {
    const std::uint64_t first = access.rows.base + row * access.rows.pitch;
    const auto in_port = ports_of_.share(first, first + access.rows.bytes, access.port);
    if (in_port.is_empty()) continue;
    bytes += in_port.end - in_port.first;
    for (unsigned i = 0; i < channels_a_port; ++i) {
      const auto in_channel = channels_of_.share(in_port.first, in_port.end, i);
      if (in_channel.is_empty()) continue;
      const auto part = serve_in(first_channel + i, arrival, in_channel.first, in_channel.end, access.is_write);
      whole.first = std::min(whole.first, part.first);
      whole.last = std::max(whole.last, part.last);
      taken[i] += part.taken.value;
      sum_taken += part.taken.value;
      most_taken = std::max(most_taken, taken[i]);
    }
  }
  if (bytes == 0)
    return {.bytes = 0,
            .first_data = access.start,
            .end = access.start,
            .unloaded = Time::zero(),
            .burst_time = Time::zero()};
  const std::uint64_t bursts = bursts_of_a_request(access);
  const Cycles unloaded = !access.is_write   ? timing_.idle_read(bursts)
                          : ordered_.empty() ? timing_.idle_write(bursts)
                                             : Cycles(bursts);
  const Cycles others(most_taken - std::min(most_taken, timing_.data_time(bursts).value));
  return {.bytes = bytes,
          .first_data = grid_.time_of(whole.first),
          .end = grid_.time_of(whole.last),
          .unloaded = grid_.span(unloaded),
          .burst_time = grid_.span(timing_.data_time(bursts)),
          .own = grid_.span(unloaded + others),
          .busy_ps = static_cast<double>(grid_.span(Cycles(sum_taken)).value) / params_.channels};
}

Time BankedDram::admitted(const MemoryAccess& access) {
  if (access.service_class == ServiceClass::normal || params_.background.share >= 1.0) return access.first_data;
  const Time arrival = access.first_data, goes = background_.admit(arrival, own_bytes(access));
  if (goes > arrival) sc_core::wait(sc_time_of(goes) - sc_core::sc_time_stamp());
  return goes;
}

std::uint64_t BankedDram::own_bytes(const MemoryAccess& access) const {
  std::uint64_t bytes = 0;
  for (std::uint64_t row = 0; row < access.rows.count; ++row) {
    const std::uint64_t first = access.rows.base + row * access.rows.pitch;
    const auto own = ports_of_.share(first, first + access.rows.bytes, access.port);
    bytes += own.end - own.first;
  }
  return bytes;
}

Channel::Service BankedDram::serve_in(unsigned channel, Cycles arrival, std::uint64_t first, std::uint64_t end,
                                      bool is_write) {
  return booked_.empty() ? ordered_[channel].serve(arrival, first, end, is_write)
                         : booked_[channel].serve(arrival, first, end, is_write);
}

std::uint64_t BankedDram::bursts_of_a_request(const MemoryAccess& access) const {
  const std::uint64_t in_a_channel = std::min({access.burst_bytes, access.rows.bytes, params_.interleave.value});
  return ceil_div(in_a_channel, timing_.burst_bytes);
}

template <class AnyChannel>
void BankedDram::add_channel(const AnyChannel& channel, Time elapsed, BankedDramStats& stats,
                             std::vector<EngineReport>& engines) const {
  const ChannelCounts counts = channel.counts();
  stats.reads += counts.reads;
  stats.writes += counts.writes;
  stats.activates += counts.activates;
  stats.precharges += counts.precharges;
  stats.refreshes += channel.refreshes(grid_.edge_at(elapsed));
  engines.push_back(channel_report(fmt::format("channel{}", engines.size()), channel.shares(), grid_, elapsed));
}

BlockReport BankedDram::report(Time elapsed) const {
  BankedDramStats stats;
  BankedDramEvents events;
  std::vector<EngineReport> engines;
  for (const Channel& channel : booked_) add_channel(channel, elapsed, stats, engines);
  for (OrderedChannel channel : ordered_) {
    channel.drain();  // what it still holds is done after the run, and counts
    add_channel(channel, elapsed, stats, engines);
  }
  stats.read += Bytes(ports_.served().read);
  stats.written += Bytes(ports_.served().written);
  stats.row_misses = stats.activates;
  stats.row_hits +=
      stats.reads.value + stats.writes.value - std::min(stats.activates.value, stats.reads.value + stats.writes.value);
  events.burst_read = stats.reads;
  events.burst_written = stats.writes;
  events.row_activated = stats.activates;
  events.refresh = stats.refreshes;
  BlockReport report = make_report("dram", "banked", stats, events);
  report.engines = std::move(engines);
  report.initiators = ports_.initiators();
  return report;
}

double stream_efficiency(const DramStandard& standard) {
  const auto ns = [&](const DramTiming& timing) { return static_cast<double>(timing.time(standard.clock).value); };
  return 1.0 - (ns(standard.t_rfc) + ns(standard.t_rp) + ns(standard.t_rcd)) / ns(standard.t_refi);
}

MemoryCapabilities BankedDram::memory(const BankedDramParams& params, Frequency) {
  const auto standard = params.standard.get();
  const ChannelTiming timing(*standard);
  MemoryCapabilities memory;
  memory.capacity = params.capacity;
  memory.interleave = interleave_of(params);
  memory.peak = Bandwidth(standard->peak().value * params.channels);
  memory.delivered = Bandwidth(memory.peak.value * stream_efficiency(*standard));
  memory.latency = ClockGrid(standard->clock).span(timing.idle_read(timing.unit_bursts));
  return memory;
}

}  // namespace archsim
