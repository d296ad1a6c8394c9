// A network as a file says it: routers with the places of their endpoints, what joins them, and routes that are not the shortest.
//
//     graph: two_clusters
//     link_width: 64 B                      # a flit
//     routers: {west: [[0, 0], [1, 0]], hub: [], east: [[0, 1], [1, 1]]}
//     links:
//       - {between: [west, hub], width: 32 B, latency: 2 cycles}
//       - {between: [hub, east]}
//     routes: {west: {east: hub}}           # at `west`, what is for endpoints of `east` goes to `hub` next
//
// A link goes both ways. One that is narrower than `link_width` takes a flit in several cycles. Ports of a router are in the order of
// its links in the file, and of equally short ways the first port's is taken.
#pragma once

#include <memory>
#include <string>

#include "arch/describe/diagnostic.h"
#include "arch/describe/values/value.h"
#include "arch/units/quantity.h"
#include "models/noc/topology/graph.h"
#include "models/noc/topology/routes.h"

namespace archsim {

struct NocPlan {
  std::string name;
  Bytes link_width = Bytes(64);
  unsigned columns = 0, rows = 0;  // of the places; each has a router
  NocGraph graph = NocGraph(0);
  NocRoutes routes = NocRoutes(0, 1, {});
  Location routes_place;  // of what decides them: `routes`, or `links`
};

/// Every mistake of the text: routers that nobody named, links that are there twice, places without a router, routes along no link,
/// endpoints that cannot be reached. Whether routes deadlock is check_routes()'s to say.
Checked<NocPlan> read_noc_plan(const Source& source);

/// A param that names a plan, which is read when the param is: NAME of noc/NAME.yaml beside the folder of the user's file or of the
/// program's own configs, or a path from the user's file that ends with `.yaml`.
struct NocPlanName {
  std::string name = "two_clusters";
  std::shared_ptr<const NocPlan> found = {};

  /// Finds a default that nobody wrote down in the program's own folder; that it is not there is a bug of ours.
  std::shared_ptr<const NocPlan> get() const;
};

template <>
struct ValueCodec<NocPlanName> {
  static ValueShape shape() { return {ValueShape::Kind::text, "a network's file", "two_clusters", {}}; }
  static bool read(const YamlNode& node, const std::string& name, NocPlanName& value, Diagnostics& out,
                   const ValueShape& like = shape());
  static Datum datum(const NocPlanName& value) { return {value.name}; }
};

}  // namespace archsim
