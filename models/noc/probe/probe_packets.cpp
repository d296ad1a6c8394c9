#include "models/noc/links.h"
#include "models/noc/probe/probe.h"

namespace archsim {
namespace {

struct Sums {
  std::uint64_t packets = 0, flits = 0;
  double packet_latency = 0.0, network_latency = 0.0, hops = 0.0;
};

void carry(NocLinks& links, const NocProbe& probe, std::uint64_t cycle, const Route& route, Sums& sums) {
  const FlitStream arrival = links.carry_packet(route, {Cycles(cycle), Cycles(cycle), probe.packet_flits});
  // What ends within the measured time is accepted in it.
  if (arrival.last.value >= probe.warm_up_cycles() && arrival.last.value < probe.cycles)
    sums.flits += probe.packet_flits;
  if (cycle < probe.warm_up_cycles()) return;
  ++sums.packets;
  sums.packet_latency += static_cast<double>(arrival.last.value - cycle);
  sums.network_latency += static_cast<double>((arrival.last - links.left_source()).value);
  sums.hops += static_cast<double>(hops_of(route.size()));
}

}  // namespace

Checked<NocProbeResult> probe_packets(const NocProbe& probe, const Location& where) {
  NocLinks links(probe.shape());
  const Diagnostics out =
      check_routes(links.paths().graph(), links.paths().routes(), probe.vcs, links.paths().place_of_routes(where));
  if (out.has_errors()) return out;
  NocTraffic traffic(probe.traffic_params());
  const unsigned tiles = probe.shape().tiles();
  Sums sums;
  Route route;
  for (std::uint64_t cycle = 0; cycle < probe.cycles; ++cycle) {
    links.drop_before(Cycles(cycle));
    for (unsigned source = 0; source < tiles; ++source) {
      if (!traffic.makes_packet()) continue;
      links.paths().find(source, traffic.destination(source), route);
      carry(links, probe, cycle, route, sums);
    }
  }
  if (sums.packets == 0) {
    return Diagnostic{.message = "no packet was made after the warm-up", .help = "more `cycles`, or a higher `rate`"};
  }
  const auto packets = static_cast<double>(sums.packets);
  const auto measured = static_cast<double>((probe.cycles - probe.warm_up_cycles()) * tiles);
  return NocProbeResult{.packets = sums.packets,
                        .packet_latency_avg_cycles = sums.packet_latency / packets,
                        .network_latency_avg_cycles = sums.network_latency / packets,
                        .hops_avg = sums.hops / packets,
                        .accepted_flits_per_node_cycle = static_cast<double>(sums.flits) / measured};
}

}  // namespace archsim
