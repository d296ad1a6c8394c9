#include "models/noc/probe/probe.h"

#include "models/noc/probe/loaded_network.h"

namespace archsim {
namespace {

constexpr std::uint64_t kMostDraining = 10;  // times the cycles with traffic

}  // namespace

Checked<NocProbeResult> probe_detailed(const NocProbe& probe, const Location& where) {
  const NocPaths paths(probe.shape());
  const NocGraph& graph = paths.graph();
  const NocRoutes& routes = paths.routes();
  Diagnostics out = check_routes(graph, routes, probe.vcs, paths.place_of_routes(where));
  if (out.has_errors()) return out;
  LoadedNetwork network(graph, routes, {.vcs = probe.vcs, .buffer = probe.buffer, .router = probe.router},
                        probe.traffic_params(), probe.packet_flits);
  network.run(probe.warm_up_cycles());
  network.enter(LoadedNetwork::Phase::measuring);
  network.run(probe.cycles - probe.warm_up_cycles());
  network.enter(LoadedNetwork::Phase::draining);
  // Beyond saturation a source can be starved for good.
  for (std::uint64_t left = kMostDraining * probe.cycles; left > 0 && !network.is_drained(); --left) network.step();
  const NocMeasured& measured = network.measured();
  if (measured.packets == 0) {
    return Diagnostic{.message = "no packet was made after the warm-up", .help = "more `cycles`, or a higher `rate`"};
  }
  return NocProbeResult{.packets = measured.packets,
                        .is_drained = network.is_drained(),
                        .packet_latency_avg_cycles = measured.latency_average(),
                        .network_latency_avg_cycles = measured.network_latency_average(),
                        .hops_avg = measured.hops_average(),
                        .accepted_flits_per_node_cycle = measured.accepted(graph.endpoints())};
}

}  // namespace archsim
