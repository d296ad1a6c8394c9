#include "models/noc/topology/paths.h"

#include <algorithm>

namespace archsim {

NocPaths::NocPaths(const NocShape& shape)
    : shape_(shape),
      graph_(NocGraph::make(shape.topology, shape.columns, shape.rows)),
      routes_(NocRoutes::make(graph_, shape.topology, shape.columns, shape.rows)) {
  for (std::size_t router = 0; router < graph_.routers(); ++router) {
    first_link_.push_back(static_cast<std::uint32_t>(directions_.size()));
    for (const NocPort& port : graph_.ports(router)) directions_.push_back(port.direction);
  }
  first_link_.push_back(static_cast<std::uint32_t>(directions_.size()));
  directions_.resize(directions_.size() + graph_.endpoints(), LinkDirection::injection);
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

double most_loaded_share(const NocPaths& paths, const std::vector<unsigned>& sources,
                         const std::vector<unsigned>& sinks) {
  std::vector<std::uint64_t> pairs(paths.links(), 0);
  Route route;
  for (const unsigned source : sources) {
    for (const unsigned sink : sinks) {
      paths.find(source, sink, route);
      for (const std::uint32_t link : route) ++pairs[link];
    }
  }
  const auto all = static_cast<double>(sources.size() * sinks.size());
  return all == 0.0 ? 0.0 : static_cast<double>(*std::max_element(pairs.begin(), pairs.end())) / all;
}

}  // namespace archsim
