// Where a packet goes next: a port and a class of virtual channels for each router and destination, whatever way it came.
//
// Dimension order on grids: along the row, then along the column. On a ring or torus each dimension has a dateline between its last
// and first router: packets that have it ahead keep to class 0, others to class 1, so no circle of waiting closes (Dally and
// Seitz). Elsewhere a table of shortest ways.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/describe/diagnostic.h"
#include "models/noc/topology/graph.h"

namespace archsim {

struct NocHop {
  static constexpr std::uint8_t kAnyClass = 0xFF;
  static constexpr std::uint8_t kNoPort = 0xFF;
  std::uint8_t port = kNoPort;
  std::uint8_t vc_class = kAnyClass;
};

/// Virtual channels from `first` on, `count` of them.
struct VcRange {
  unsigned first, count;
};

class NocRoutes {
 public:
  /// By dimension order where the topology has dimensions, by shortest ways where it has not.
  static NocRoutes make(const NocGraph& graph, NocTopology topology, unsigned columns, unsigned rows);
  /// By shortest ways (of equal ones the first port's); an endpoint that another cannot reach is an error at `where`.
  static Checked<NocRoutes> shortest(const NocGraph& graph, const Location& where = {});
  /// `hops[router * endpoints + destination]`.
  NocRoutes(std::size_t endpoints, unsigned classes, std::vector<NocHop> hops)
      : endpoints_(endpoints), classes_(classes), hops_(std::move(hops)) {}

  const NocHop& at(std::size_t router, std::size_t destination) const {
    return hops_[router * endpoints_ + destination];
  }
  unsigned classes() const { return classes_; }
  /// Those of a class are an equal part of all `vcs`, or one that it shares if there are fewer than classes.
  VcRange vcs_of(const NocHop& hop, unsigned vcs) const;
  /// Routers visited on the way.
  unsigned hops(const NocGraph& graph, std::size_t source, std::size_t destination) const;

 private:
  std::size_t endpoints_;
  unsigned classes_;
  std::vector<NocHop> hops_;
};

/// Errors, at `where`, for a route that does not arrive, and for a circle of links and virtual channels that wait for each other (the
/// channel dependency graph has a cycle), which is printed.
Diagnostics check_routes(const NocGraph& graph, const NocRoutes& routes, unsigned vcs, const Location& where = {});

}  // namespace archsim
