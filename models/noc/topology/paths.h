// The links that packets take, numbered, of a network that stands for columns x rows tiles.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/noc/topology/graph.h"
#include "models/noc/topology/router.h"
#include "models/noc/topology/routes.h"

namespace archsim {

struct NocShape {
  NocTopology topology = NocTopology::mesh;
  unsigned columns = 1, rows = 1;
  Router router = Router::r2;
  unsigned vcs = 4;

  unsigned tiles() const { return columns * rows; }
  unsigned tile_at(unsigned column, unsigned row) const { return row * columns + column; }
};

/// Link numbers in the order of travel: injection, the hops, ejection.
using Route = std::vector<std::uint32_t>;
constexpr std::uint64_t hops_of(std::uint64_t links) { return links - 1; }

class NocPaths {
 public:
  explicit NocPaths(const NocShape& shape);

  const NocShape& shape() const { return shape_; }
  const NocGraph& graph() const { return graph_; }
  const NocRoutes& routes() const { return routes_; }
  std::size_t links() const { return directions_.size(); }
  LinkDirection direction(std::size_t link) const { return directions_[link]; }
  /// The routers at a link's ends; none where an endpoint is.
  struct Ends {
    std::optional<std::uint32_t> from, to;
  };
  Ends ends(std::uint32_t link) const;
  Route between(std::size_t from_tile, std::size_t to_tile) const;
  /// The same into `route`, whose memory is used again.
  void find(std::size_t from_tile, std::size_t to_tile, Route& route) const;

 private:
  NocShape shape_;
  NocGraph graph_;
  NocRoutes routes_;
  std::vector<std::uint32_t> first_link_;  // of a router's ports; behind them all, injection by tile
  std::vector<LinkDirection> directions_;
};

/// The part of all traffic that crosses the most loaded link when every source sends to every sink alike.
double most_loaded_share(const NocPaths& paths, const std::vector<unsigned>& sources,
                         const std::vector<unsigned>& sinks);

}  // namespace archsim
