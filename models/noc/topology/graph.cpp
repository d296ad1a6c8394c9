#include "models/noc/topology/graph.h"

#include <algorithm>
#include <array>

#include "arch/describe/diagnostic.h"

namespace archsim {
namespace {

enum Direction : std::size_t { east, west, south, north, directions };
constexpr std::array<Direction, directions> kOpposite = {west, east, north, south};
constexpr std::array<LinkDirection, directions> kNames = {LinkDirection::east, LinkDirection::west,
                                                          LinkDirection::south, LinkDirection::north};

std::optional<unsigned> step(unsigned at, unsigned length, bool forward, bool wraps) {
  if (length == 1) return std::nullopt;
  if (forward) return at + 1 < length ? std::optional(at + 1) : wraps ? std::optional(0U) : std::nullopt;
  return at > 0 ? std::optional(at - 1) : wraps ? std::optional(length - 1) : std::nullopt;
}

}  // namespace

void NocGraph::connect(Attachment from, Attachment to, LinkDirection there, LinkDirection back) {
  graph_[from.router].ports[from.port] = {NocPort::Leads::to_router, to.router, to.port, there};
  graph_[to.router].ports[to.port] = {NocPort::Leads::to_router, from.router, from.port, back};
  boost::add_edge(from.router, to.router, NocLink{from.port, to.port}, graph_);
  boost::add_edge(to.router, from.router, NocLink{to.port, from.port}, graph_);
}

void NocGraph::join(std::uint32_t a, std::uint32_t b, LinkDirection there, LinkDirection back, const NocSpan& span) {
  ARCHSIM_ASSERT(a != b, "a router joined to itself");
  const auto port_a = static_cast<std::uint32_t>(ports(a).size()), port_b = static_cast<std::uint32_t>(ports(b).size());
  graph_[a].ports.emplace_back();
  graph_[b].ports.emplace_back();
  connect({a, port_a}, {b, port_b}, there, back);
  graph_[a].ports[port_a].span = graph_[b].ports[port_b].span = span;
}

void NocGraph::attach(std::uint32_t router) {
  const auto port = static_cast<std::uint32_t>(ports(router).size());
  graph_[router].ports.push_back({NocPort::Leads::to_endpoint, static_cast<std::uint32_t>(endpoints_.size()), 0});
  endpoints_.push_back({router, port});
}

std::size_t NocGraph::most_ports() const {
  std::size_t most = 0;
  for (std::size_t i = 0; i < routers(); ++i) most = std::max(most, ports(i).size());
  return most;
}

NocGraph NocGraph::grid(unsigned columns, unsigned rows, bool wraps) {
  NocGraph graph(static_cast<std::size_t>(columns) * rows);
  const auto neighbour = [&](unsigned router, std::size_t direction) -> std::optional<std::uint32_t> {
    const unsigned column = router % columns, row = router / columns;
    const bool is_forward = direction == east || direction == south;
    if (direction == east || direction == west) {
      const auto to = step(column, columns, is_forward, wraps);
      return to ? std::optional<std::uint32_t>(row * columns + *to) : std::nullopt;
    }
    const auto to = step(row, rows, is_forward, wraps);
    return to ? std::optional<std::uint32_t>(*to * columns + column) : std::nullopt;
  };
  // Ports first, in their order, then what they lead to.
  std::vector<std::array<std::uint32_t, directions>> port_of(graph.routers());
  for (unsigned router = 0; router < graph.routers(); ++router) {
    for (std::size_t direction = 0; direction < directions; ++direction) {
      if (!neighbour(router, direction)) continue;
      port_of[router][direction] = static_cast<std::uint32_t>(graph.ports(router).size());
      graph.graph_[router].ports.emplace_back();
    }
    graph.attach(router);
  }
  for (unsigned router = 0; router < graph.routers(); ++router) {
    for (const Direction direction : {east, south}) {
      const auto other = neighbour(router, direction);
      if (!other) continue;
      const Direction opposite = kOpposite[direction];
      graph.connect({router, port_of[router][direction]}, {*other, port_of[*other][opposite]}, kNames[direction],
                    kNames[opposite]);
    }
  }
  return graph;
}

NocGraph NocGraph::make(NocTopology topology, unsigned columns, unsigned rows) {
  const unsigned endpoints = columns * rows;
  switch (topology) {
    case NocTopology::mesh:
      return grid(columns, rows, false);
    case NocTopology::torus:
      return grid(columns, rows, true);
    case NocTopology::ring:
      return grid(endpoints, 1, true);
    case NocTopology::crossbar: {
      NocGraph graph(1);
      for (unsigned i = 0; i < endpoints; ++i) graph.attach(0);
      return graph;
    }
    case NocTopology::hierarchical: {
      NocGraph graph(rows + 1);
      for (unsigned i = 0; i < endpoints; ++i) graph.attach(i / columns);
      for (unsigned row = 0; row < rows; ++row) graph.join(row, rows, LinkDirection::up, LinkDirection::down);
      return graph;
    }
    case NocTopology::graph:
      break;
  }
  return NocGraph(0);
}

}  // namespace archsim
