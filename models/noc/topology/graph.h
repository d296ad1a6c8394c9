// A network's routers and links, as a Boost graph: mesh, torus, ring, crossbar, hierarchical, or as a file says (plan.h). No SystemC in
// here.
//
// A router has ports; each is a pair of directed links, to and from another router or an endpoint. Ports of a mesh or torus are in
// the order +column, -column, +row, -row, endpoint, with those left out that lead nowhere.
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace archsim {

enum class NocTopology : std::uint8_t { mesh, torus, ring, crossbar, hierarchical, graph };

/// Of the link that a port sends to. up: to a router that joins others; down: from it; between: of no order.
enum class LinkDirection : std::uint8_t { injection, ejection, east, west, south, north, up, down, between };
constexpr std::size_t kLinkDirections = 9;

/// What a link does to a flit.
struct NocSpan {
  std::uint32_t latency = 1;      // cycles from one end to the other
  std::uint32_t flit_cycles = 1;  // that a flit takes of it: one as wide as a flit takes one
  friend bool operator==(NocSpan, NocSpan) = default;
};

struct NocPort {
  enum class Leads : std::uint8_t { to_router, to_endpoint };
  Leads leads = Leads::to_endpoint;
  std::uint32_t index = 0;  // of the router or endpoint
  std::uint32_t port = 0;   // of that router
  LinkDirection direction = LinkDirection::ejection;
  NocSpan span = {};  // of the link that it sends to
};

struct NocRouter {
  std::vector<NocPort> ports;
  std::string name = {};  // for messages; none: its number
};

/// A directed link between routers.
struct NocLink {
  std::uint32_t from_port = 0, to_port = 0;
};

class NocGraph {
 public:
  static constexpr unsigned kMostPorts = 64;  // of a router
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, NocRouter, NocLink>;
  struct Attachment {
    std::uint32_t router, port;
  };

  /// columns x rows endpoints; not for `graph`. mesh, torus: a router each; ring: a router each, in a circle row by row; crossbar: one router;
  /// hierarchical: one router a row, and one that joins the rows.
  static NocGraph make(NocTopology topology, unsigned columns, unsigned rows);

  explicit NocGraph(std::size_t routers) : graph_(routers) {}
  /// Joins two routers both ways, by the next port of each.
  void join(std::uint32_t a, std::uint32_t b, LinkDirection there = LinkDirection::between,
            LinkDirection back = LinkDirection::between, const NocSpan& span = {});
  /// The next endpoint, at the next port of `router`.
  void attach(std::uint32_t router);

  const Graph& graph() const { return graph_; }
  std::size_t routers() const { return boost::num_vertices(graph_); }
  std::size_t endpoints() const { return endpoints_.size(); }
  std::size_t links() const { return boost::num_edges(graph_); }
  const std::vector<NocPort>& ports(std::size_t router) const { return graph_[router].ports; }
  const Attachment& endpoint(std::size_t index) const { return endpoints_[index]; }
  std::size_t most_ports() const;
  void set_name(std::uint32_t router, const std::string& name) { graph_[router].name = name; }
  std::string name(std::size_t router) const {
    return graph_[router].name.empty() ? std::to_string(router) : graph_[router].name;
  }

 private:
  /// Connects two ports, which are there, both ways.
  void connect(Attachment from, Attachment to, LinkDirection there, LinkDirection back);
  static NocGraph grid(unsigned columns, unsigned rows, bool wraps);

  Graph graph_;
  std::vector<Attachment> endpoints_;
};

}  // namespace archsim
