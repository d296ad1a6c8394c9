#include <gtest/gtest.h>

#include <random>

#include "models/noc/probe/probe.h"
#include "tests/validate/noc/reference.h"

namespace archsim {
namespace {

struct Alone {
  NocGraph graph;
  NocRoutes routes;
  Alone(NocTopology topology, unsigned columns, unsigned rows)
      : graph(NocGraph::make(topology, columns, rows)), routes(NocRoutes::make(graph, topology, columns, rows)) {}
};

/// Steps until `packets` more have arrived; those.
std::vector<DetailedNetwork::Packet> arrivals(DetailedNetwork& network, std::size_t packets) {
  std::vector<DetailedNetwork::Packet> all;
  for (unsigned i = 0; i < 100'000 && all.size() < packets; ++i) {
    network.receive();
    all.insert(all.end(), network.delivered().begin(), network.delivered().end());
    network.advance();
  }
  return all;
}

// h routers of 4 or 2 cycles and a link each; injection's register and link; a cycle for each further flit.
TEST(DetailedNetwork, AnIdleNetworkHasTheClosedFormsLatency) {
  for (const NocTopology topology :
       {NocTopology::mesh, NocTopology::torus, NocTopology::ring, NocTopology::crossbar, NocTopology::hierarchical}) {
    const Alone alone(topology, 4, 3);
    for (const Router router : {Router::r2, Router::r4}) {
      DetailedNetwork network(alone.graph, alone.routes, {.vcs = 2, .buffer = 8, .router = router});
      for (std::uint32_t from = 0; from < 12; ++from) {
        for (std::uint32_t to = 0; to < 12; ++to) {
          const std::uint32_t flits = 1 + (from + to) % 9;
          network.receive();
          network.offer({.source = from, .destination = to, .flits = flits, .created = network.now()});
          network.advance();
          const auto packet = arrivals(network, 1).at(0);
          const std::uint64_t h = alone.routes.hops(alone.graph, from, to);
          EXPECT_EQ(packet.hops, h);
          EXPECT_EQ(packet.arrived - packet.created, (router == Router::r4 ? 5 : 3) * h + 2 + (flits - 1));
        }
      }
    }
  }
}

TEST(DetailedNetwork, RoutersVisitedAreTheShortestWay) {
  const auto apart = [](unsigned a, unsigned b, unsigned around) {
    const unsigned d = a > b ? a - b : b - a;
    return around > 0 ? std::min(d, around - d) : d;
  };
  const Alone mesh(NocTopology::mesh, 5, 4), torus(NocTopology::torus, 5, 4), ring(NocTopology::ring, 5, 4);
  for (unsigned a = 0; a < 20; ++a) {
    for (unsigned b = 0; b < 20; ++b) {
      EXPECT_EQ(mesh.routes.hops(mesh.graph, a, b), 1 + apart(a % 5, b % 5, 0) + apart(a / 5, b / 5, 0));
      EXPECT_EQ(torus.routes.hops(torus.graph, a, b), 1 + apart(a % 5, b % 5, 5) + apart(a / 5, b / 5, 4));
      EXPECT_EQ(ring.routes.hops(ring.graph, a, b), 1 + apart(a, b, 20));
    }
  }
}

// The link into a router with one buffer of B flits carries B flits in a credit's round trip: 3 cycles to the buffer, 3 back.
TEST(DetailedNetwork, CreditsLimitALinkToTheBuffersFlitsInARoundTrip) {
  const Alone line(NocTopology::mesh, 3, 1);
  constexpr unsigned kFlits = 600;
  for (unsigned buffer = 1; buffer <= 8; ++buffer) {
    DetailedNetwork network(line.graph, line.routes, {.vcs = 1, .buffer = buffer, .router = Router::r4});
    network.receive();
    network.offer({.source = 0, .destination = 2, .flits = kFlits});
    network.advance();
    const auto packet = arrivals(network, 1).at(0);
    const double cycles = static_cast<double>(packet.arrived);
    EXPECT_NEAR(cycles / kFlits, std::max(1.0, 6.0 / buffer), 0.05) << buffer;
  }
}

// Two long packets from different sides into one endpoint share its link by flits, so both end at nearly the same time.
TEST(DetailedNetwork, VirtualChannelsShareALinkFlitByFlit) {
  const Alone line(NocTopology::mesh, 3, 1);
  DetailedNetwork network(line.graph, line.routes, {.vcs = 2, .buffer = 8, .router = Router::r4});
  network.receive();
  network.offer({.source = 0, .destination = 1, .flits = 200});
  network.offer({.source = 2, .destination = 1, .flits = 200});
  network.advance();
  const auto both = arrivals(network, 2);
  EXPECT_EQ(both.at(1).arrived - both.at(0).arrived, 1);
  EXPECT_NEAR(static_cast<double>(both.at(1).arrived), 400 + 12, 4);
}

TEST(DetailedNetwork, EveryPacketArrivesOnceWhereItShall) {
  for (const NocTopology topology :
       {NocTopology::mesh, NocTopology::torus, NocTopology::ring, NocTopology::crossbar, NocTopology::hierarchical}) {
    const Alone alone(topology, 4, 4);
    ASSERT_TRUE(check_routes(alone.graph, alone.routes, 2).empty());
    std::mt19937 random(7);
    for (const unsigned vcs : {2U, 5U}) {
      DetailedNetwork network(alone.graph, alone.routes, {.vcs = vcs, .buffer = 3, .router = Router::r2});
      std::uint64_t offered = 0, flits = 0, arrived = 0;
      for (unsigned cycle = 0; cycle < 8000; ++cycle) {
        network.receive();
        arrived += network.delivered().size();
        for (std::uint32_t i = 0; i < 16 && cycle < 3000; ++i) {  // more than it can carry
          if (!network.is_free(i)) continue;
          const auto length = static_cast<std::uint32_t>(1 + random() % 6);
          network.offer({.source = i, .destination = static_cast<std::uint32_t>(random() % 16), .flits = length});
          ++offered, flits += length;
        }
        network.advance();
      }
      EXPECT_EQ(arrived, offered) << static_cast<int>(topology);
      EXPECT_EQ(network.delivered_flits(), flits);
      EXPECT_EQ(network.packets_under_way(), 0);
    }
  }
}

// BookSim's own packets come out as BookSim's own averages; scripts/validate noc has all rows.
TEST(DetailedNetwork, RowsOfBookSimComeOutInAllTheirDigits) {
  const auto rows = noc_reference_rows();
  ASSERT_EQ(rows.size(), 378U);
  for (std::size_t i = 0; i < rows.size(); i += 17) {
    const NocReferenceRow& row = rows[i];
    if (!row.is_stable || row.probe.columns > 4) continue;
    const NocMeasured given = run_as_reference(row);
    EXPECT_NEAR(given.accepted(16), row.accepted, 1e-5 * row.accepted) << row.name();
    if (row.is_throughput) continue;
    EXPECT_NEAR(given.latency_average(), row.packet_latency, 1e-5 * row.packet_latency) << row.name();
    EXPECT_NEAR(given.network_latency_average(), row.network_latency, 1e-5 * row.network_latency) << row.name();
    EXPECT_NEAR(given.hops_average(), row.hops, 1e-5 * row.hops) << row.name();
  }
}

}  // namespace
}  // namespace archsim
