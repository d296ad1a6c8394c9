#include "models/noc/probe/probe.h"

#include "models/noc/probe/loaded_network.h"

namespace archsim {

Checked<NocProbeResult> probe_detailed(const NocProbe& probe, const Location& where) {
  const NocGraph graph = NocGraph::make(probe.topology, probe.columns, probe.rows);
  const NocRoutes routes = NocRoutes::make(graph, probe.topology, probe.columns, probe.rows);
  Diagnostics out = check_routes(graph, routes, probe.vcs, where);
  if (out.has_errors()) return out;
  LoadedNetwork network(graph, routes, {.vcs = probe.vcs, .buffer = probe.buffer, .router = probe.router},
                        probe.traffic_params(), probe.packet_flits);
  network.run(probe.warm_up_cycles());
  network.enter(LoadedNetwork::Phase::measuring);
  network.run(probe.cycles - probe.warm_up_cycles());
  network.enter(LoadedNetwork::Phase::draining);
  while (!network.is_drained()) network.step();
  const NocMeasured& measured = network.measured();
  if (measured.packets == 0) {
    return Diagnostic{.message = "no packet was made after the warm-up", .help = "more `cycles`, or a higher `rate`"};
  }
  return NocProbeResult{.packets = measured.packets,
                        .packet_latency_avg_cycles = measured.latency_average(),
                        .network_latency_avg_cycles = measured.network_latency_average(),
                        .hops_avg = measured.hops_average(),
                        .accepted_flits_per_node_cycle = measured.accepted(graph.endpoints())};
}

}  // namespace archsim
