#include "models/noc/topology/routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/reverse_graph.hpp>
#include <utility>

namespace archsim {
namespace {

/// The hop along one dimension of a grid, from `at` to `to`.
struct DimensionStep {
  bool is_forward;
  std::uint8_t vc_class;
};

DimensionStep step_along(unsigned at, unsigned to, unsigned length, bool wraps) {
  if (!wraps) return {at < to, NocHop::kAnyClass};
  const unsigned ahead = (to + length - at) % length;
  // Of two ways of equal length every second router takes the other.
  const bool is_forward = 2 * ahead < length || (2 * ahead == length && at % 2 == 0);
  const bool has_dateline_ahead = is_forward ? at > to : at < to;
  return {is_forward, static_cast<std::uint8_t>(has_dateline_ahead ? 0 : 1)};
}

/// The port of a grid's router in a direction: ports that lead nowhere are left out.
class GridPorts {
 public:
  GridPorts(unsigned columns, unsigned rows, bool wraps) : columns_(columns), rows_(rows), wraps_(wraps) {}

  std::uint8_t port(unsigned column, unsigned row, bool is_along_row, bool is_forward) const {
    unsigned port = 0;
    const unsigned wanted = (is_along_row ? 0U : 2U) + (is_forward ? 0U : 1U);
    for (unsigned direction = 0; direction < wanted; ++direction) port += exists(column, row, direction) ? 1 : 0;
    return static_cast<std::uint8_t>(port);
  }

 private:
  bool exists(unsigned column, unsigned row, unsigned direction) const {
    const unsigned at = direction < 2 ? column : row, length = direction < 2 ? columns_ : rows_;
    if (length == 1) return false;
    return wraps_ || (direction % 2 == 0 ? at + 1 < length : at > 0);
  }
  unsigned columns_, rows_;
  bool wraps_;
};

NocRoutes dimension_order(const NocGraph& graph, unsigned columns, unsigned rows, bool wraps) {
  const GridPorts ports(columns, rows, wraps);
  const auto endpoints = static_cast<unsigned>(graph.endpoints());
  std::vector<NocHop> hops;
  hops.reserve(graph.routers() * endpoints);
  for (unsigned router = 0; router < graph.routers(); ++router) {
    const unsigned column = router % columns, row = router / columns;
    for (unsigned to = 0; to < endpoints; ++to) {
      const unsigned to_column = to % columns, to_row = to / columns;
      if (router == to) {
        hops.push_back({static_cast<std::uint8_t>(graph.endpoint(to).port), NocHop::kAnyClass});
        continue;
      }
      const bool is_along_row = column != to_column;
      const DimensionStep step =
          is_along_row ? step_along(column, to_column, columns, wraps) : step_along(row, to_row, rows, wraps);
      hops.push_back({ports.port(column, row, is_along_row, step.is_forward), step.vc_class});
    }
  }
  return {endpoints, wraps ? 2U : 1U, std::move(hops)};
}

/// Links to each router's distance from `to`, against the links' direction.
std::vector<unsigned> distances_to(const NocGraph& graph, std::size_t to) {
  std::vector<unsigned> distances(graph.routers(), ~0U);
  distances[to] = 0;
  const auto reversed = boost::make_reverse_graph(graph.graph());
  boost::breadth_first_search(
      reversed, to,
      boost::visitor(boost::make_bfs_visitor(boost::record_distances(distances.data(), boost::on_tree_edge()))));
  return distances;
}

std::uint8_t port_towards(const NocGraph& graph, std::size_t router, const std::vector<unsigned>& distances) {
  const auto& ports = graph.ports(router);
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if (ports[i].leads == NocPort::Leads::to_router && distances[ports[i].index] + 1 == distances[router])
      return static_cast<std::uint8_t>(i);
  }
  return NocHop::kNoPort;
}

}  // namespace

NocRoutes NocRoutes::make(const NocGraph& graph, NocTopology topology, unsigned columns, unsigned rows) {
  switch (topology) {
    case NocTopology::mesh:
    case NocTopology::torus:
      return dimension_order(graph, columns, rows, topology == NocTopology::torus);
    case NocTopology::ring:
      return dimension_order(graph, columns * rows, 1, true);
    case NocTopology::crossbar:
    case NocTopology::hierarchical:
    case NocTopology::graph:
      break;
  }
  return *shortest(graph);
}

Checked<NocRoutes> NocRoutes::shortest(const NocGraph& graph, const Location& where) {
  const std::size_t endpoints = graph.endpoints();
  std::vector<NocHop> hops(graph.routers() * endpoints);
  Diagnostics out;
  for (std::size_t to = 0; to < endpoints; ++to) {
    const NocGraph::Attachment& last = graph.endpoint(to);
    const std::vector<unsigned> distances = distances_to(graph, last.router);
    for (std::size_t router = 0; router < graph.routers(); ++router) {
      const bool arrives = router == last.router;
      hops[router * endpoints + to].port =
          arrives ? static_cast<std::uint8_t>(last.port) : port_towards(graph, router, distances);
    }
    for (std::size_t from = 0; from < endpoints && !out.has_errors(); ++from) {
      if (distances[graph.endpoint(from).router] != ~0U) continue;
      out.error(where, fmt::format("endpoint {} cannot reach endpoint {}", from, to),
                fmt::format("no links lead from router {} to router {}", graph.name(graph.endpoint(from).router),
                            graph.name(last.router)));
    }
  }
  if (out.has_errors()) return out;
  return NocRoutes(endpoints, 1, std::move(hops));
}

VcRange NocRoutes::vcs_of(const NocHop& hop, unsigned vcs) const {
  if (hop.vc_class == NocHop::kAnyClass) return {0, vcs};
  const unsigned first = hop.vc_class * vcs / classes_, end = (hop.vc_class + 1) * vcs / classes_;
  return {first, std::max(end - first, 1U)};
}

unsigned NocRoutes::hops(const NocGraph& graph, std::size_t source, std::size_t destination) const {
  unsigned visited = 1;
  for (std::size_t router = graph.endpoint(source).router; router != graph.endpoint(destination).router; ++visited) {
    router = graph.ports(router)[at(router, destination).port].index;
  }
  return visited;
}

}  // namespace archsim
