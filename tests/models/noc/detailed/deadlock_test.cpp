#include <gtest/gtest.h>

#include "models/noc/topology/routes.h"

namespace archsim {
namespace {

NocRoutes routes_of(const NocGraph& graph, NocTopology topology, unsigned columns, unsigned rows) {
  return NocRoutes::make(graph, topology, columns, rows);
}

// From five routers in a circle on: with four, no shortest way is long enough for its packets to wait for each other.
TEST(Deadlock, DatelinesNeedTwoVirtualChannels) {
  for (const NocTopology topology : {NocTopology::ring, NocTopology::torus}) {
    const NocGraph graph = NocGraph::make(topology, 5, 5);
    const NocRoutes routes = routes_of(graph, topology, 5, 5);
    for (const unsigned vcs : {2U, 3U, 8U}) EXPECT_TRUE(check_routes(graph, routes, vcs).empty());
    EXPECT_TRUE(check_routes(graph, routes, 1).has_errors());
  }
}

TEST(Deadlock, MeshesCrossbarsAndHierarchiesHaveNoCircle) {
  for (const NocTopology topology : {NocTopology::mesh, NocTopology::crossbar, NocTopology::hierarchical}) {
    const NocGraph graph = NocGraph::make(topology, 5, 3);
    EXPECT_TRUE(check_routes(graph, routes_of(graph, topology, 5, 3), 1).empty());
  }
}

TEST(Deadlock, ACircleIsPrintedLinkByLink) {
  NocGraph graph(3);
  for (std::uint32_t i = 0; i < 3; ++i) graph.attach(i);
  for (std::uint32_t i = 0; i < 3; ++i) graph.join(i, (i + 1) % 3);
  // Always onwards, by the port that was joined first: 0 -> 1 -> 2 -> 0.
  std::vector<NocHop> hops(9);
  for (std::uint32_t router = 0; router < 3; ++router) {
    for (std::uint32_t to = 0; to < 3; ++to) {
      const std::uint8_t onwards = router == 0 ? 1 : 2;
      hops[router * 3 + to].port = router == to ? std::uint8_t{0} : onwards;
    }
  }
  const Diagnostics out = check_routes(graph, NocRoutes(3, 1, hops), 2);
  ASSERT_TRUE(out.has_errors());
  EXPECT_EQ(
      out.all()[0].message,
      "these links wait for each other in a circle: 0 -> 1 on virtual channels 0 to 1, 1 -> 2 on virtual channels "
      "0 to 1, 2 -> 0 on virtual channels 0 to 1");
}

TEST(Deadlock, ARouteThatGoesNowhereIsTold) {
  NocGraph graph(2);
  graph.attach(0);
  graph.attach(1);
  graph.join(0, 1);
  // Endpoint 1's packets at router 0 go back and forth.
  const std::vector<NocHop> hops = {{0}, {1}, {1}, {1}};
  const Diagnostics out = check_routes(graph, NocRoutes(2, 1, hops), 1);
  ASSERT_TRUE(out.has_errors());
  EXPECT_EQ(out.all()[0].message, "the route from endpoint 0 to endpoint 1 does not arrive");
}

TEST(Deadlock, AnIslandIsTold) {
  NocGraph graph(3);
  for (std::uint32_t i = 0; i < 3; ++i) graph.attach(i);
  graph.join(0, 1);
  const auto routes = NocRoutes::shortest(graph);
  ASSERT_FALSE(routes);
  EXPECT_EQ(routes.diagnostics().all()[0].message, "endpoint 2 cannot reach endpoint 0");
}

}  // namespace
}  // namespace archsim
