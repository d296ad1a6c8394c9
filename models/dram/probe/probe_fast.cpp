#include <algorithm>
#include <cmath>
#include <vector>

#include "models/dram/channel.h"
#include "models/dram/probe/probe.h"

namespace archsim {

bool has_fast_answer(const DramProbe& probe) {
  const ControllerParams& controller = probe.controller;
  // The closed forms hold to 1 % for a stream in one direction; what else a probe can ask for depends on the order of commands.
  return probe.pattern == DramPattern::seq && probe.access != DramAccess::mix && controller.controller == "default" &&
         controller.address_map == named_address_map("bg64") && controller.xor_row_into.empty() &&
         controller.page == PagePolicy::open && controller.refresh == RefreshPolicy::all_bank &&
         controller.power_down_after.value == 0 && probe.temperature == DramTemperature::normal &&
         probe.standard.ranks == 1;
}

DramProbeResult probe_fast(const DramProbe& probe) {
  const ChannelTiming timing(probe.standard);
  const double clock_s = 1.0 / static_cast<double>(probe.standard.clock.value);
  const double peak = probe.standard.peak().value;
  const double between = probe.load ? 64.0 / (peak * *probe.load) / clock_s : 0.0;
  Channel channel(timing);
  DramStream stream(probe.pattern, probe.access, timing.stripe_bytes * timing.banks);
  std::vector<Slot> latencies;
  double from_arrival = 0.0;
  Cycles end = Cycles::zero();
  for (std::uint64_t i = 0; i < probe.requests; ++i, stream.advance()) {
    const double offered = between * static_cast<double>(i);
    const Cycles arrival(static_cast<std::uint64_t>(std::ceil(offered - 1e-6)));
    const std::uint64_t address = stream.next_address();
    const auto service = channel.serve(arrival, address, address + 64, stream.is_write());
    end = std::max(end, service.last);
    if (stream.is_write()) continue;
    latencies.push_back((service.last - service.accepted).value);
    from_arrival += static_cast<double>(service.last.value) - offered;
  }
  DramProbeResult result;
  result.time_s = static_cast<double>(end.value) * clock_s;
  result.bandwidth_bytes_per_s = 64.0 * static_cast<double>(probe.requests) / result.time_s;
  result.peak_bytes_per_s = peak;
  const ChannelCounts& counts = channel.counts();
  result.counts = {counts.activates, counts.precharges, counts.reads, counts.writes, channel.refreshes(end)};
  set_latencies(result, std::move(latencies), from_arrival, clock_s);
  return result;
}

}  // namespace archsim
