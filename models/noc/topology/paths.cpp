#include "models/noc/topology/paths.h"

#include <algorithm>

#include "models/noc/topology/plan.h"

namespace archsim {

NocPaths::NocPaths(const NocShape& shape)
    : shape_(shape),
      graph_(shape.plan ? shape.plan->graph : NocGraph::make(shape.topology, shape.columns, shape.rows)),
      routes_(shape.plan ? shape.plan->routes : NocRoutes::make(graph_, shape.topology, shape.columns, shape.rows)) {
  for (std::size_t router = 0; router < graph_.routers(); ++router) {
    first_link_.push_back(static_cast<std::uint32_t>(directions_.size()));
    for (const NocPort& port : graph_.ports(router)) {
      directions_.push_back(port.direction);
      spans_.push_back(port.span);
    }
  }
  first_link_.push_back(static_cast<std::uint32_t>(directions_.size()));
  directions_.resize(directions_.size() + graph_.endpoints(), LinkDirection::injection);
  spans_.resize(directions_.size());
  for (const NocSpan& span : spans_) is_uniform_ = is_uniform_ && span == NocSpan{};
}

void NocPaths::find(std::size_t from_tile, std::size_t to_tile, Route& route) const {
  route.clear();
  route.push_back(first_link_.back() + static_cast<std::uint32_t>(from_tile));
  std::size_t router = graph_.endpoint(from_tile).router;
  const std::size_t last = graph_.endpoint(to_tile).router;
  for (; router != last; router = graph_.ports(router)[routes_.at(router, to_tile).port].index) {
    route.push_back(first_link_[router] + routes_.at(router, to_tile).port);
  }
  route.push_back(first_link_[last] + graph_.endpoint(to_tile).port);
}

Location NocPaths::place_of_routes(const Location& otherwise) const {
  return shape_.plan ? shape_.plan->routes_place : otherwise;
}

Cycles NocPaths::idle_latency(const Route& route, std::uint64_t flits) const {
  if (is_uniform_) return idle_packet_latency(shape_.router, hops_of(route.size()), flits);
  // When the first flit is put on each link, and the last one leaves it: flits behind the first catch up with it in routers.
  Cycles head = kInjectionCycles, tail = kInjectionCycles + Cycles(flits);
  for (std::size_t i = 1; i < route.size(); ++i) {
    const NocSpan &before = spans_[route[i - 1]], &own = spans_[route[i]];
    head += Cycles(before.flit_cycles - 1 + before.latency) + router_cycles(shape_.router);
    const Cycles last_is_there = tail - Cycles(1) + Cycles(before.latency) + kBodyRouterCycles;
    tail = std::max(head + Cycles(flits * own.flit_cycles), last_is_there + Cycles(own.flit_cycles));
  }
  return tail - Cycles(1) + Cycles(spans_[route.back()].latency);
}

NocPaths::Ends NocPaths::ends(std::uint32_t link) const {
  if (link >= first_link_.back()) return {.from = {}, .to = graph_.endpoint(link - first_link_.back()).router};
  const auto above = std::upper_bound(first_link_.begin(), first_link_.end(), link);
  const auto router = static_cast<std::uint32_t>(above - first_link_.begin() - 1);
  const NocPort& port = graph_.ports(router)[link - first_link_[router]];
  if (port.leads == NocPort::Leads::to_endpoint) return {.from = router, .to = {}};
  return {.from = router, .to = port.index};
}

Route NocPaths::between(std::size_t from_tile, std::size_t to_tile) const {
  Route route;
  find(from_tile, to_tile, route);
  return route;
}

RouteTree NocPaths::tree(std::size_t from_tile, const std::vector<std::size_t>& to_tiles) const {
  RouteTree tree;
  Route route;
  for (const std::size_t to : to_tiles) {
    find(from_tile, to, route);
    std::size_t at = RouteTree::kNone;
    for (const std::uint32_t link : route) {
      const auto found = std::find_if(tree.links.begin(), tree.links.end(),
                                      [link](const RouteTree::Link& known) { return known.link == link; });
      const bool is_new = found == tree.links.end();
      if (is_new && at != RouteTree::kNone) ++tree.links[at].branches;
      const auto index = static_cast<std::size_t>(found - tree.links.begin());
      if (is_new) tree.links.push_back({.link = link, .before = at});
      at = index;
    }
    tree.leaves.push_back(at);
  }
  return tree;
}

double most_loaded_share(const NocPaths& paths, const std::vector<unsigned>& sources,
                         const std::vector<unsigned>& sinks) {
  std::vector<std::uint64_t> pairs(paths.links(), 0);
  Route route;
  for (const unsigned source : sources) {
    for (const unsigned sink : sinks) {
      paths.find(source, sink, route);
      for (const std::uint32_t link : route) pairs[link] += paths.span(link).flit_cycles;
    }
  }
  const auto all = static_cast<double>(sources.size() * sinks.size());
  return all == 0.0 ? 0.0 : static_cast<double>(*std::max_element(pairs.begin(), pairs.end())) / all;
}

}  // namespace archsim
