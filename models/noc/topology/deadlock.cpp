// The channel dependency graph of a network and its routes: a packet that holds one link's virtual channel waits for the next one's.
#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/depth_first_search.hpp>

#include "models/noc/topology/routes.h"

namespace archsim {
namespace {

using Dependencies = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
using Vertex = Dependencies::vertex_descriptor;

/// A vertex is a link and one group of its virtual channels: what a class may take.
class Channels {
 public:
  Channels(const NocGraph& graph, const NocRoutes& routes, unsigned vcs)
      : graph_(graph), routes_(routes), vcs_(vcs), groups_(std::min(vcs, routes.classes())) {
    for (std::size_t router = 0; router < graph.routers(); ++router) {
      first_.push_back(static_cast<std::uint32_t>(from_.size()));
      from_.resize(from_.size() + graph.ports(router).size(), static_cast<std::uint32_t>(router));
    }
  }

  std::size_t vertices() const { return from_.size() * groups_; }
  Vertex first_of_router(std::size_t router) const { return first_[router] * groups_; }
  std::size_t most_of_router() const { return graph_.most_ports() * groups_; }
  std::vector<Vertex> taken_by(std::size_t router, const NocHop& hop) const {
    const Vertex link = (first_[router] + hop.port) * groups_;
    std::vector<Vertex> all;
    const unsigned own = hop.vc_class * groups_ / routes_.classes();
    for (unsigned group = 0; group < groups_; ++group) {
      if (hop.vc_class == NocHop::kAnyClass || group == own) all.push_back(link + group);
    }
    return all;
  }
  std::string name(Vertex vertex) const {
    const std::size_t link = vertex / groups_, group = vertex % groups_;
    const std::size_t router = from_[link];
    const unsigned first = static_cast<unsigned>(group) * vcs_ / groups_;
    const unsigned last = (static_cast<unsigned>(group) + 1) * vcs_ / groups_ - 1;
    const auto& to = graph_.ports(router)[link - first_[router]];
    return fmt::format("{} -> {} on {}", graph_.name(router), graph_.name(to.index),
                       first == last ? fmt::format("virtual channel {}", first)
                                     : fmt::format("virtual channels {} to {}", first, last));
  }

 private:
  const NocGraph& graph_;
  const NocRoutes& routes_;
  unsigned vcs_, groups_;
  std::vector<std::uint32_t> first_, from_;  // links by router and port; a link's router
};

/// Follows every route; an error for one that goes in circles or to nowhere.
class Follower {
 public:
  Follower(const NocGraph& graph, const NocRoutes& routes, const Channels& channels)
      : graph_(graph),
        routes_(routes),
        channels_(channels),
        dependencies_(channels.vertices()),
        is_added_(channels.vertices() * channels.most_of_router()) {}

  /// False if it does not arrive.
  bool follow(std::size_t source, std::size_t destination, std::vector<bool>& is_known) {
    std::vector<Vertex> held;
    std::size_t router = graph_.endpoint(source).router;
    const std::size_t last = graph_.endpoint(destination).router;
    for (std::size_t steps = 0; router != last; ++steps) {
      const NocHop& hop = routes_.at(router, destination);
      if (steps == graph_.routers() || hop.port >= graph_.ports(router).size()) return false;
      if (graph_.ports(router)[hop.port].leads != NocPort::Leads::to_router) return false;
      const std::vector<Vertex> next = channels_.taken_by(router, hop);
      for (const Vertex a : held) {
        for (const Vertex b : next) add(a, b, router);
      }
      if (is_known[router]) return true;
      is_known[router] = true;
      held = next;
      router = graph_.ports(router)[hop.port].index;
    }
    return routes_.at(router, destination).port == graph_.endpoint(destination).port;
  }
  const Dependencies& dependencies() const { return dependencies_; }

 private:
  /// `from` leads into `router`, and `to` out of it.
  void add(Vertex from, Vertex to, std::size_t router) {
    const std::size_t at = from * channels_.most_of_router() + to - channels_.first_of_router(router);
    if (is_added_[at]) return;
    is_added_[at] = true;
    boost::add_edge(from, to, dependencies_);
  }

  const NocGraph& graph_;
  const NocRoutes& routes_;
  const Channels& channels_;
  Dependencies dependencies_;
  std::vector<bool> is_added_;  // by vertex and the place of the next one in its router
};

/// Keeps the way to where the search stands, and the first circle that it closes.
struct CycleFinder : boost::default_dfs_visitor {
  CycleFinder(std::vector<Vertex>& stack, std::vector<Vertex>& found) : way(stack), cycle(found) {}
  void discover_vertex(Vertex vertex, const Dependencies&) const { way.push_back(vertex); }
  void finish_vertex(Vertex, const Dependencies&) const { way.pop_back(); }
  void back_edge(const Dependencies::edge_descriptor& edge, const Dependencies& graph) const {
    if (!cycle.empty()) return;
    cycle.assign(std::find(way.begin(), way.end(), boost::target(edge, graph)), way.end());
  }
  std::vector<Vertex>& way;
  std::vector<Vertex>& cycle;
};

std::string as_text(const std::vector<Vertex>& cycle, const Channels& channels) {
  constexpr std::size_t kShown = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(cycle.size(), kShown); ++i) {
    text += (i == 0 ? "" : ", ") + channels.name(cycle[i]);
  }
  if (cycle.size() > kShown) text += fmt::format(", {} more", cycle.size() - kShown);
  return text;
}

}  // namespace

Diagnostics check_routes(const NocGraph& graph, const NocRoutes& routes, unsigned vcs, const Location& where) {
  Diagnostics out;
  const Channels channels(graph, routes, vcs);
  Follower follower(graph, routes, channels);
  for (std::size_t to = 0; to < graph.endpoints(); ++to) {
    std::vector<bool> is_known(graph.routers());
    for (std::size_t from = 0; from < graph.endpoints(); ++from) {
      if (follower.follow(from, to, is_known)) continue;
      out.error(where, fmt::format("the route from endpoint {} to endpoint {} does not arrive", from, to));
      return out;
    }
  }
  std::vector<Vertex> way, cycle;
  boost::depth_first_search(follower.dependencies(), boost::visitor(CycleFinder(way, cycle)));
  if (!cycle.empty()) {
    out.error(where, "these links wait for each other in a circle: " + as_text(cycle, channels),
              routes.classes() > vcs ? fmt::format("the dateline needs {} virtual channels, there {} {}",
                                                   routes.classes(), vcs == 1 ? "is" : "are", vcs)
                                     : "routes must not close a circle of links");
  }
  return out;
}

}  // namespace archsim
