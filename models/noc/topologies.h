// The networks of the catalog: one model a topology.
#pragma once

#include <fmt/format.h>

#include "models/noc/costs.h"
#include "models/noc/network.h"
#include "models/noc/topology/plan.h"

namespace archsim {

template <NocTopology kTopology>
class NetworkOf final : public Network {
 public:
  static constexpr std::string_view kSummary = [] {
    switch (kTopology) {
      case NocTopology::mesh:
        return "mesh of wormhole routers, XY routing, link contention";
      case NocTopology::torus:
        return "torus of wormhole routers, dimension order, datelines in the virtual channels";
      case NocTopology::ring:
        return "wormhole routers in a circle, row by row, with a dateline in the virtual channels";
      case NocTopology::crossbar:
        return "one router that joins all tiles";
      case NocTopology::hierarchical:
        return "a router for each row of tiles, and one that joins the rows";
      case NocTopology::graph:
        break;
    }
    return "";
  }();

  NetworkOf(const sc_core::sc_module_name& name, const NocParams& params, const BuildContext& context)
      : Network(name, params.shape(kTopology), params, context) {}

  static FabricCapabilities fabric(const NocParams& params, Frequency clock) {
    return Network::fabric(params.shape(kTopology), params.link_width, params.header, clock);
  }
  static BlockCosts costs(const NocParams& params, Frequency clock) {
    const NocGraph graph = NocGraph::make(kTopology, params.columns, params.rows);
    return network_costs({graph, kTopology, params.columns, params.rows, params.link_width}, clock);
  }
  /// Routers of too many ports, and routes that could wait for each other in a circle.
  static void check(const NocParams& params, const ParamLocation& where, Diagnostics& out) {
    const NocGraph graph = NocGraph::make(kTopology, params.columns, params.rows);
    if (graph.most_ports() > NocGraph::kMostPorts) {
      out.error(where("columns"), fmt::format("a router would have {} ports", graph.most_ports()),
                fmt::format("at most {}", NocGraph::kMostPorts));
      return;
    }
    const NocRoutes routes = NocRoutes::make(graph, kTopology, params.columns, params.rows);
    out.append(check_routes(graph, routes, params.vcs, where("vcs")));
  }
};

using Mesh = NetworkOf<NocTopology::mesh>;
using Torus = NetworkOf<NocTopology::torus>;
using Ring = NetworkOf<NocTopology::ring>;
using Crossbar = NetworkOf<NocTopology::crossbar>;
using Hierarchical = NetworkOf<NocTopology::hierarchical>;

struct NocGraphParams {
  NocPlanName graph;
  Router router = Router::r2;
  unsigned vcs = 4;

  static constexpr auto fields() {
    using P = NocGraphParams;
    return fields_of(
        param<&P::graph>("routers, what joins them and where they stand: NAME of configs/noc/NAME.yaml, or a path from "
                         "this file that ends with .yaml"),
        param<&P::router>("router pipeline: r2 two stages, r4 four stages"),
        param<&P::vcs>("virtual channels of a link").between(1, 64));
  }

  NocShape shape() const {
    const auto plan = graph.get();
    return {.topology = NocTopology::graph,
            .columns = plan->columns,
            .rows = plan->rows,
            .router = router,
            .vcs = vcs,
            .plan = plan};
  }
};

/// Reads as the others, but for its own params.
class GraphNetwork final : public Network {
 public:
  using Params = NocGraphParams;
  static constexpr std::string_view kSummary =
      "wormhole routers as a file joins them, with links of their own width and latency";

  GraphNetwork(const sc_core::sc_module_name& name, const NocGraphParams& params, const BuildContext& context)
      : Network(name, params.shape(), {.link_width = params.graph.get()->link_width, .router = params.router},
                context) {}

  static FabricCapabilities fabric(const NocGraphParams& params, Frequency clock) {
    return Network::fabric(params.shape(), params.graph.get()->link_width, PacketHeader::own_flit, clock);
  }
  static BlockCosts costs(const NocGraphParams& params, Frequency clock) {
    const auto plan = params.graph.get();
    return network_costs({plan->graph, NocTopology::graph, plan->columns, plan->rows, plan->link_width}, clock);
  }
  /// The file's own mistakes were told when it was read.
  static void check(const NocGraphParams& params, const ParamLocation&, Diagnostics& out) {
    const auto plan = params.graph.get();
    out.append(check_routes(plan->graph, plan->routes, params.vcs, plan->routes_place));
  }
};

}  // namespace archsim
