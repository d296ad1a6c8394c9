#include "models/noc/links.h"

#include <algorithm>

namespace archsim {

Route route_between(const MeshShape& shape, unsigned from_tile, unsigned to_tile) {
  unsigned column = from_tile % shape.columns, row = from_tile / shape.columns;
  const unsigned to_column = to_tile % shape.columns, to_row = to_tile / shape.columns;
  Route route{link_index(from_tile, LinkDirection::injection)};
  while (column != to_column) {
    const bool is_east = column < to_column;
    route.push_back(link_index(shape.tile_at(column, row), is_east ? LinkDirection::east : LinkDirection::west));
    column = is_east ? column + 1 : column - 1;
  }
  while (row != to_row) {
    const bool is_south = row < to_row;
    route.push_back(link_index(shape.tile_at(column, row), is_south ? LinkDirection::south : LinkDirection::north));
    row = is_south ? row + 1 : row - 1;
  }
  route.push_back(link_index(to_tile, LinkDirection::ejection));
  return route;
}

MeshLinks::MeshLinks(const MeshShape& shape)
    : shape_(shape), hop_(router_cycles(shape.router) + kLinkCycles), links_(shape.tiles() * kLinkDirections) {}

FlitStream MeshLinks::carry(const Route& route, FlitStream stream) {
  const Cycles length(stream.flits);
  Cycles head = stream.first + kInjectionCycles;
  Cycles tail = std::max(stream.last, stream.first + length - Cycles(1)) + kInjectionCycles;
  const Cycles idle_tail = tail + hop_ * route.size();
  for (const std::uint32_t index : route) {
    Calendar<Cycles>& link = links_[index];
    link.drop_before(now_);
    const auto booking = link.book_within(head, tail + Cycles(1), length);
    head = booking.begin + hop_;
    tail = booking.end - Cycles(1) + hop_;
  }
  flit_hops_ += stream.flits * route.size();
  waited_ += tail - idle_tail;
  const Cycles last_router = hop_ - kLinkCycles;  // behind the ejection link is none
  return {head - last_router, tail - last_router, stream.flits};
}

FlitStream MeshLinks::carry_express(const Route& route, FlitStream stream) {
  const Cycles length(stream.flits);
  Cycles head = stream.first + kInjectionCycles;
  for (const std::uint32_t index : route) {
    links_[index].drop_before(now_);
    links_[index].book(head, length);
    head += hop_;
  }
  flit_hops_ += stream.flits * route.size();
  head -= hop_ - kLinkCycles;
  return {head, std::max(head + length - Cycles(1), head + (stream.last - stream.first)), stream.flits};
}

Cycles MeshLinks::busiest(LinkDirection direction) const {
  Cycles busiest = Cycles::zero();
  for (unsigned tile = 0; tile < shape_.tiles(); ++tile) {
    busiest = std::max(busiest, links_[link_index(tile, direction)].booked());
  }
  return busiest;
}

double most_loaded_share(const MeshShape& shape, const std::vector<unsigned>& sources,
                         const std::vector<unsigned>& sinks) {
  std::vector<std::uint64_t> pairs(shape.tiles() * kLinkDirections, 0);
  for (const unsigned source : sources) {
    for (const unsigned sink : sinks) {
      for (const std::uint32_t link : route_between(shape, source, sink)) ++pairs[link];
    }
  }
  const auto all = static_cast<double>(sources.size() * sinks.size());
  return all == 0.0 ? 0.0 : static_cast<double>(*std::max_element(pairs.begin(), pairs.end())) / all;
}

}  // namespace archsim
