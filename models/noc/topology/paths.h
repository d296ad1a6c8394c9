// The links that packets take, numbered, of a network that stands for columns x rows tiles.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "models/noc/topology/graph.h"
#include "models/noc/topology/router.h"
#include "models/noc/topology/routes.h"

namespace archsim {

struct NocPlan;

struct NocShape {
  NocTopology topology = NocTopology::mesh;
  unsigned columns = 1, rows = 1;
  Router router = Router::r2;
  unsigned vcs = 4;
  std::shared_ptr<const NocPlan> plan = {};  // of topology `graph`

  unsigned tiles() const { return columns * rows; }
  unsigned tile_at(unsigned column, unsigned row) const { return row * columns + column; }
};

/// Link numbers in the order of travel: injection, the hops, ejection.
using Route = std::vector<std::uint32_t>;
constexpr std::uint64_t hops_of(std::uint64_t links) { return links - 1; }

/// The links from one place to several, each once, in the order of travel.
struct RouteTree {
  static constexpr std::size_t kNone = ~std::size_t{0};
  struct Link {
    std::uint32_t link;
    std::size_t before;     // of `links`: where it branches off; kNone: injection
    unsigned branches = 0;  // links that go on from it
  };
  std::vector<Link> links;
  std::vector<std::size_t> leaves;  // of `links`: ejection, one a place
};

class NocPaths {
 public:
  explicit NocPaths(const NocShape& shape);

  const NocShape& shape() const { return shape_; }
  const NocGraph& graph() const { return graph_; }
  const NocRoutes& routes() const { return routes_; }
  /// Where the user wrote what decides the routes: in the plan, if there is one.
  Location place_of_routes(const Location& otherwise) const;
  std::size_t links() const { return directions_.size(); }
  LinkDirection direction(std::size_t link) const { return directions_[link]; }
  const NocSpan& span(std::size_t link) const { return spans_[link]; }
  /// From a packet's first flit ready at its source to its last one received, nothing else under way.
  Cycles idle_latency(const Route& route, std::uint64_t flits) const;
  /// The routers at a link's ends; none where an endpoint is.
  struct Ends {
    std::optional<std::uint32_t> from, to;
  };
  Ends ends(std::uint32_t link) const;
  /// The routes from one tile to others; where two meet again, the later one takes the earlier one's links.
  RouteTree tree(std::size_t from_tile, const std::vector<std::size_t>& to_tiles) const;
  Route between(std::size_t from_tile, std::size_t to_tile) const;
  /// The same into `route`, whose memory is used again.
  void find(std::size_t from_tile, std::size_t to_tile, Route& route) const;

 private:
  NocShape shape_;
  NocGraph graph_;
  NocRoutes routes_;
  std::vector<std::uint32_t> first_link_;  // of a router's ports; behind them all, injection by tile
  std::vector<LinkDirection> directions_;
  std::vector<NocSpan> spans_;
  bool is_uniform_ = true;  // all spans are alike
};

/// The part of all traffic that crosses the most loaded link when every source sends to every sink alike; a link that takes a flit
/// in several cycles counts as often.
double most_loaded_share(const NocPaths& paths, const std::vector<unsigned>& sources,
                         const std::vector<unsigned>& sinks);

}  // namespace archsim
