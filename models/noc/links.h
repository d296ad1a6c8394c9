// The links of a mesh: routes, and when what passes them. No SystemC in here.
//
// Every tile has six directed links: from its endpoint into its router, from its router to its endpoint, and to its
// neighbours. A route goes along the row first, then along the column (dimension order), so routes cannot deadlock.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/block/timing/calendar.h"
#include "arch/units/quantity.h"

namespace archsim {

enum class Router : std::uint8_t { r2, r4 };

/// Pipeline depth. R2 speculates and looks ahead; R4 has stages for route, VC allocation, switch allocation and traversal
/// (BookSim 2 with routing delay 0 and speculation, and with one cycle for each stage).
constexpr Cycles router_cycles(Router router) { return router == Router::r2 ? Cycles(2) : Cycles(4); }
constexpr Cycles kLinkCycles = Cycles(1);
constexpr Cycles kInjectionCycles = Cycles(1);  // from the endpoint's register to the injection link

/// From a packet's first flit ready at its source to its last one received, nothing else under way. `hops` counts the
/// routers visited.
constexpr Cycles idle_packet_latency(Router router, std::uint64_t hops, std::uint64_t flits) {
  return (router_cycles(router) + kLinkCycles) * hops + kInjectionCycles + kLinkCycles + Cycles(flits - 1);
}

enum class LinkDirection : std::uint8_t { injection, ejection, east, west, south, north };
constexpr std::size_t kLinkDirections = 6;

struct MeshShape {
  unsigned columns = 1, rows = 1;
  Router router = Router::r2;

  unsigned tiles() const { return columns * rows; }
  unsigned tile_at(unsigned column, unsigned row) const { return row * columns + column; }
};

/// Link indices in the order of travel: injection, the hops, ejection.
using Route = std::vector<std::uint32_t>;
constexpr std::uint32_t link_index(unsigned tile, LinkDirection direction) {
  return tile * static_cast<std::uint32_t>(kLinkDirections) + static_cast<std::uint32_t>(direction);
}
Route route_between(const MeshShape& shape, unsigned from_tile, unsigned to_tile);
constexpr std::uint64_t hops_of(std::uint64_t links) { return links - 1; }

/// Flits on their way: when the first is, or arrives, and when the last.
struct FlitStream {
  Cycles first, last;
  std::uint64_t flits;
};

class MeshLinks {
 public:
  explicit MeshLinks(const MeshShape& shape);

  /// Sends a stream from where it is ready; returns when it arrives. A stream waits for the links' earlier bookings; one
  /// that is slower than a link leaves it room for others.
  FlitStream carry(const Route& route, FlitStream stream);
  /// Single flits (requests, acknowledgements, doorbells): arbitration is by packet, so they wait for nobody; they take
  /// their links' time from what comes behind.
  FlitStream carry_express(const Route& route, FlitStream stream);
  /// Nothing will be sent before `now` any more.
  void drop_before(Cycles now) { now_ = now; }

  /// Of the busiest link of this direction.
  Cycles busiest(LinkDirection direction) const;
  Cycles booked(std::uint32_t link) const { return links_[link].booked(); }
  std::uint64_t flit_hops() const { return flit_hops_; }  // flits times links
  Cycles waited() const { return waited_; }               // that streams ended later than on an idle mesh

 private:
  MeshShape shape_;
  Cycles hop_;
  std::vector<Calendar<Cycles>> links_;
  Cycles now_ = Cycles::zero();
  std::uint64_t flit_hops_ = 0;
  Cycles waited_ = Cycles::zero();
};

/// The part of all traffic that crosses the most loaded link when every source sends to every sink alike.
double most_loaded_share(const MeshShape& shape, const std::vector<unsigned>& sources,
                         const std::vector<unsigned>& sinks);

}  // namespace archsim
