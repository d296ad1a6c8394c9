// The networks of the catalog: one model a topology.
#pragma once

#include "models/noc/network.h"

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
    }
    return "";
  }();

  NetworkOf(const sc_core::sc_module_name& name, const NocParams& params, const BuildContext& context)
      : Network(name, kTopology, params, context) {}

  static FabricCapabilities fabric(const NocParams& params, Frequency clock) {
    return Network::fabric(kTopology, params, clock);
  }
  static void check(const NocParams& params, const ParamLocation& where, Diagnostics& out) {
    Network::check(kTopology, params, where, out);
  }
};

using Mesh = NetworkOf<NocTopology::mesh>;
using Torus = NetworkOf<NocTopology::torus>;
using Ring = NetworkOf<NocTopology::ring>;
using Crossbar = NetworkOf<NocTopology::crossbar>;
using Hierarchical = NetworkOf<NocTopology::hierarchical>;

}  // namespace archsim
