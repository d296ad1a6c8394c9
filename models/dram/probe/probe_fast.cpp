#include <algorithm>
#include <cmath>
#include <vector>

#include "models/dram/channel.h"
#include "models/dram/probe/probe.h"

namespace archsim {

bool has_fast_answer(const DramProbe& probe) {
  const ControllerParams& controller = probe.controller;
  return controller.controller == "default" && controller.address_map == named_address_map("bg64") &&
         controller.xor_row_into.empty() && controller.page == PagePolicy::open &&
         controller.refresh == RefreshPolicy::all_bank && controller.power_down_after.value == 0 &&
         probe.temperature == DramTemperature::normal && probe.standard.ranks == 1;
}

DramProbeResult probe_fast(const DramProbe& probe) {
  const ChannelTiming timing(probe.standard);
  const double clock_s = 1.0 / static_cast<double>(probe.standard.clock.value);
  const double peak = probe.standard.peak().value;
  const double between = probe.load ? 64.0 / (peak * *probe.load) / clock_s : 0.0;
  const std::uint64_t bursts = timing.unit_bursts;
  // The window of requests that the controller's buffer holds; a request enters when one of them is through.
  const std::uint64_t window = std::max<std::uint64_t>(1, probe.controller.read_entries / bursts);
  Channel channel(timing);
  DramStream stream(probe.pattern, probe.access, timing.stripe_bytes * timing.banks);
  std::vector<Cycles> ends(probe.requests, Cycles::zero());
  std::vector<Slot> latencies;
  double from_arrival = 0.0;
  Cycles end = Cycles::zero();
  for (std::uint64_t i = 0; i < probe.requests; ++i, stream.advance()) {
    const double offered = between * static_cast<double>(i);
    Cycles arrival(static_cast<std::uint64_t>(std::ceil(offered - 1e-6)));
    if (i >= window) arrival = std::max(arrival, ends[i - window]);
    const std::uint64_t address = stream.next_address();
    ends[i] = channel.serve(arrival, address, address + 64, stream.is_write()).last;
    end = std::max(end, ends[i]);
    if (stream.is_write()) continue;
    latencies.push_back((ends[i] - arrival).value);
    from_arrival += static_cast<double>(ends[i].value) - offered;
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
