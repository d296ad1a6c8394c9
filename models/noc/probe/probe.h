// One network alone under synthetic traffic: flit by flit, or by the packet-level model that the SoC uses.
#pragma once

#include "arch/describe/diagnostic.h"
#include "arch/describe/fields.h"
#include "models/noc/detailed/network.h"
#include "models/noc/probe/traffic.h"
#include "models/noc/topology/paths.h"
#include "models/noc/topology/plan.h"

namespace archsim {

struct NocProbe {
  NocTopology topology = NocTopology::mesh;
  unsigned columns = 8, rows = 8;
  unsigned vcs = 4, buffer = 8;
  unsigned packet_flits = 8;
  Router router = Router::r2;
  NocPattern traffic = NocPattern::uniform;
  double rate = 0.1;
  std::uint64_t cycles = 20000;
  unsigned seed = 1;
  NocPlanName graph;

  NocShape shape() const {
    NocShape shape{.topology = topology, .columns = columns, .rows = rows, .router = router, .vcs = vcs};
    if (topology != NocTopology::graph) return shape;
    shape.plan = graph.get();
    shape.columns = shape.plan->columns;
    shape.rows = shape.plan->rows;
    return shape;
  }
  NocTraffic::Params traffic_params() const {
    const NocShape all = shape();
    return {.pattern = traffic,
            .columns = all.columns,
            .rows = all.rows,
            .packets_per_cycle = rate / packet_flits,
            .seed = seed};
  }
  /// The first part of `cycles`; nothing of it is measured.
  std::uint64_t warm_up_cycles() const { return cycles / 2 < 6000 ? cycles / 2 : 6000; }

  static constexpr auto fields() {
    using P = NocProbe;
    return fields_of(
        param<&P::topology>("how routers are joined"), param<&P::columns>("endpoints in a row").between(1, 32),
        param<&P::rows>("rows of endpoints").between(1, 32),
        param<&P::vcs>("virtual channels of a link").between(1, DetailedNocParams::kMostVcs),
        param<&P::buffer>("flits that a virtual channel's buffer holds").between(1, DetailedNocParams::kMostBuffer),
        param<&P::packet_flits>("flits of a packet").between(1, 4096),
        param<&P::router>("router pipeline: r2 two stages, r4 four stages"), param<&P::traffic>("where packets go"),
        param<&P::rate>("flits that an endpoint offers in a cycle").between(0.0, 1.0),
        param<&P::cycles>("cycles with traffic; the first half of them, 6000 at most, are to warm up")
            .between(2, 1'000'000'000),
        param<&P::seed>("of the traffic").between(0, 1'000'000'000),
        param<&P::graph>(
            "of topology `graph`, which has columns and rows of its own: NAME of configs/noc/NAME.yaml, or a "
            "path that ends with .yaml"));
  }
  static constexpr auto rules() {
    using P = NocProbe;
    return rules_of(
        rule<&P::traffic>(
            "`transpose` needs as many `columns` as `rows`",
            [](const P& p) { return p.traffic != NocPattern::transpose || p.shape().columns == p.shape().rows; }),
        rule<&P::traffic>("`hotspot20` needs two endpoints",
                          [](const P& p) { return p.traffic != NocPattern::hotspot20 || p.shape().tiles() > 1; }),
        rule<&P::rate>("a `rate` of 0 is nothing to measure", [](const P& p) { return p.rate > 0.0; }),
        rule<&P::columns>("a crossbar has at most 64 endpoints, and so has each router of a hierarchy, less one",
                          [](const P& p) { return p.most_ports() <= NocGraph::kMostPorts; }));
  }
  std::uint64_t most_ports() const {
    if (topology == NocTopology::crossbar) return std::uint64_t{columns} * rows;
    return topology == NocTopology::hierarchical ? std::uint64_t{columns} + 1 : 5;
  }
};

struct NocProbeResult {
  std::uint64_t packets = 0;  // measured
  bool is_drained = true;     // all of them arrived; if not, latencies are of those that did
  /// From creation, so with the wait in the source's queue; from the first flit's leave of it.
  double packet_latency_avg_cycles = 0.0, network_latency_avg_cycles = 0.0;
  double hops_avg = 0.0;  // routers visited
  double accepted_flits_per_node_cycle = 0.0;
};

/// Flit by flit. Packets created after the warm-up are measured, and the run goes on until all of them have arrived, or for ten times
/// `cycles`. An error
/// if routes could deadlock, at `where`, or if no packet was made.
Checked<NocProbeResult> probe_detailed(const NocProbe& probe, const Location& where = {});

/// By the packet-level model of the SoC, which has no end of buffers. Packets that are still under way at the end are measured too.
Checked<NocProbeResult> probe_packets(const NocProbe& probe, const Location& where = {});

}  // namespace archsim
