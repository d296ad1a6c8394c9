// Networks that a file describes: beside the ones of the catalog, and links of their own width and latency in both depths.
#include "models/noc/topology/plan.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "models/noc/detailed/network.h"
#include "models/noc/links.h"
#include "models/noc/probe/probe.h"
#include "tests/diagnostics/fixture.h"
#include "tests/source_dir.h"

namespace archsim {
namespace {

struct Random {
  std::mt19937 engine;
  unsigned operator()() { return static_cast<unsigned>(engine()); }
};

NocShape shape_of(const std::string& text, Router router = Router::r2) {
  auto plan = read_noc_plan(make_source("plan.yaml", text));
  const auto found = std::make_shared<const NocPlan>(*std::move(plan));
  return {.topology = NocTopology::graph,
          .columns = found->columns,
          .rows = found->rows,
          .router = router,
          .vcs = 4,
          .plan = found};
}

/// Ports as a mesh has them: to the next column, to the one before, to the next row, to the one before, and the endpoint.
std::string mesh_text(unsigned columns, unsigned rows) {
  std::string routers = "routers:\n", links = "links:\n";
  for (unsigned row = 0; row < rows; ++row) {
    for (unsigned column = 0; column < columns; ++column) {
      routers += fmt::format("  r{}_{}: [[{}, {}]]\n", column, row, column, row);
    }
    for (unsigned column = columns - 1; column > 0; --column) {
      links += fmt::format("  - {{between: [r{}_{}, r{}_{}]}}\n", column - 1, row, column, row);
    }
  }
  for (unsigned row = rows - 1; row > 0; --row) {
    for (unsigned column = 0; column < columns; ++column) {
      links += fmt::format("  - {{between: [r{}_{}, r{}_{}]}}\n", column, row - 1, column, row);
    }
  }
  return "graph: mesh\n" + routers + links;
}

TEST(NocPlan, AMeshWrittenAsAGraphIsThatMesh) {
  for (const Router router : {Router::r2, Router::r4}) {
    NocLinks graph(shape_of(mesh_text(4, 3), router)), mesh({.columns = 4, .rows = 3, .router = router});
    Random random{std::mt19937(5)};
    for (std::uint64_t i = 0; i < 3000; ++i) {
      const unsigned from = random() % 12, to = random() % 12;
      const FlitStream packet{Cycles(i * 2), Cycles(i * 2), 1 + random() % 12};
      const Route there = graph.paths().between(from, to), same = mesh.paths().between(from, to);
      ASSERT_EQ(there.size(), same.size());
      EXPECT_EQ(graph.carry_packet(there, packet).last, mesh.carry_packet(same, packet).last);
      EXPECT_EQ(graph.carry(there, packet).last, mesh.carry(same, packet).last);
    }
    EXPECT_EQ(graph.waited(), mesh.waited());
  }
}

TEST(NocPlan, AMeshWrittenAsAGraphIsThatMeshFlitByFlit) {
  NocProbe mesh{.columns = 4, .rows = 4, .packet_flits = 4, .router = Router::r4, .rate = 0.35, .cycles = 3000};
  NocProbe graph = mesh;
  graph.topology = NocTopology::graph;
  graph.graph.found = shape_of(mesh_text(4, 4)).plan;
  const auto a = probe_detailed(mesh), b = probe_detailed(graph);
  EXPECT_EQ(a->packets, b->packets);
  EXPECT_DOUBLE_EQ(a->packet_latency_avg_cycles, b->packet_latency_avg_cycles);
  EXPECT_DOUBLE_EQ(a->hops_avg, b->hops_avg);
}

constexpr auto kChain = R"(graph: chain
link_width: 64 B
routers: {a: [[0, 0]], b: [], c: [[1, 0]]}
links:
  - {between: [a, b], width: 16 B, latency: 3 cycles}
  - {between: [b, c], latency: 2 cycles}
)";

// Injection's register and link; at a, b and c a router; the first link 3 cycles and 3 more for a flit of four parts, the second 2, ejection
// 1; each further flit 4 cycles behind on the narrow link.
TEST(NocPlan, NarrowAndLongLinksHaveTheClosedFormsLatency) {
  const NocShape shape = shape_of(kChain);
  const NocPaths paths(shape);
  for (const std::uint32_t flits : {1U, 2U, 9U}) {
    const std::uint64_t head = 1 + 1 + 3 * 2 + (3 + 3) + 2 + 1;
    const Cycles expected(head + 4 * (flits - 1));
    const Route route = paths.between(0, 1);
    EXPECT_EQ(paths.idle_latency(route, flits), expected);
    NocLinks packet(shape), train(shape);
    EXPECT_EQ(packet.carry_packet(route, {Cycles(0), Cycles(0), flits}).last, expected);
    EXPECT_EQ(train.carry(route, {Cycles(0), Cycles(0), flits}).last, expected);
    EXPECT_EQ(packet.waited() + train.waited(), Cycles(0));
    DetailedNetwork network(paths.graph(), paths.routes(), {.vcs = 2, .buffer = 64});
    network.receive();
    network.offer({.source = 0, .destination = 1, .flits = flits});
    network.advance();
    while (network.delivered().empty() && network.now() < 1000) {
      network.receive();
      if (network.delivered().empty()) network.advance();
    }
    ASSERT_EQ(network.delivered().size(), 1u);
    EXPECT_EQ(Cycles(network.delivered()[0].arrived), expected);
  }
}

TEST(NocPlan, ANarrowLinkCarriesItsPart) {
  NocLinks links(shape_of(kChain));
  const Route route = links.paths().between(0, 1);
  Cycles last(0);
  for (unsigned i = 0; i < 100; ++i) last = links.carry(route, {Cycles(0), Cycles(0), 9}).last;
  EXPECT_EQ(last, links.paths().idle_latency(route, 1) + Cycles(4 * (900 - 1)));
}

// In random networks of two pipelines: single packets far apart take the same time in both depths, whatever the links.
TEST(NocPlan, IdleNetworksTakeTheSameInBothDepths) {
  Random random{std::mt19937(11)};
  for (unsigned round = 0; round < 20; ++round) {
    const unsigned routers = 2 + random() % 6;
    std::string text = "graph: random\nrouters:\n", links = "links:\n";
    for (unsigned i = 0; i < routers; ++i) text += fmt::format("  r{}: [[{}, 0]]\n", i, i);
    for (unsigned i = 1; i < routers; ++i) {
      links += fmt::format("  - {{between: [r{}, r{}], width: {} B, latency: {} cycles}}\n", random() % i, i,
                           8U << random() % 4, 1 + random() % 5);
    }
    const NocShape shape = shape_of(text + links, random() % 2 == 0 ? Router::r2 : Router::r4);
    const NocPaths paths(shape);
    EXPECT_FALSE(check_routes(paths.graph(), paths.routes(), 4).has_errors()) << "a tree has no circles";
    DetailedNetwork network(paths.graph(), paths.routes(), {.vcs = 4, .buffer = 128, .router = shape.router});
    for (unsigned i = 0; i < 20; ++i) {
      const unsigned from = random() % routers, to = random() % routers, flits = 1 + random() % 12;
      network.receive();
      network.offer({.source = from, .destination = to, .flits = flits, .created = network.now()});
      network.advance();
      const std::uint64_t created = network.now() - 1;
      for (network.receive(); network.delivered().empty() && network.now() < created + 2000; network.receive()) {
        network.advance();
      }
      ASSERT_EQ(network.delivered().size(), 1u);
      const Route route = paths.between(from, to);
      EXPECT_EQ(Cycles(network.delivered()[0].arrived - created), paths.idle_latency(route, flits)) << text << links;
      network.advance();
      NocLinks fast(shape);
      EXPECT_EQ(fast.carry_packet(route, {Cycles(7), Cycles(7), flits}).last,
                Cycles(7) + paths.idle_latency(route, flits));
    }
  }
}

TEST(NocPlan, RoutesOfTheFileGoBeforeTheShortest) {
  const std::string square = R"(graph: square
routers: {a: [[0, 0]], b: [[1, 0]], c: [[0, 1]], d: [[1, 1]]}
links: [{between: [a, b]}, {between: [b, d]}, {between: [a, c]}, {between: [c, d]}]
)";
  const NocPaths shortest(shape_of(square)), given(shape_of(square + "routes: {a: {d: c, b: c}, c: {b: d}}\n"));
  const auto routers = [](const NocPaths& paths, unsigned from, unsigned to) {
    std::string names;
    for (const std::uint32_t link : paths.between(from, to)) {
      if (const auto end = paths.ends(link).to) names += paths.graph().name(*end);
    }
    return names;
  };
  EXPECT_EQ(routers(shortest, 0, 3), "abd");
  EXPECT_EQ(routers(given, 0, 3), "acd");
  EXPECT_EQ(routers(given, 0, 1), "acdb");
  EXPECT_EQ(routers(given, 3, 0), "dba");
}

class Plan : public testing::TestWithParam<std::string> {};

TEST_P(Plan, IsAnsweredWithTheExpectedText) {
  const auto source = read_source(GetParam());
  ASSERT_TRUE(source);
  const auto plan = read_noc_plan(*source);
  Diagnostics told = plan.diagnostics();
  if (plan) told.append(check_routes(plan->graph, plan->routes, 4, plan->routes_place));
  EXPECT_TRUE(told.has_errors());
  EXPECT_TRUE(is_expected_for(GetParam(), render(told)));
}

INSTANTIATE_TEST_SUITE_P(Fixtures, Plan, testing::ValuesIn(fixtures_in("tests/diagnostics/noc")),
                         [](const auto& input) { return fixture_name(input.param); });

}  // namespace
}  // namespace archsim
