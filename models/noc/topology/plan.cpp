#include "models/noc/topology/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "arch/describe/near_name.h"

namespace archsim {
namespace {

constexpr Bytes kNarrowest = Bytes(4), kWidest = Bytes(1024);
constexpr unsigned kMostRouters = 1024, kMostColumns = 64,
                   kMostLatency = 64;  // assumed: more is a slip of the keyboard

/// Reads the sections in order; a mistake in one leaves out what depends on it.
class PlanReader {
 public:
  explicit PlanReader(Diagnostics& out) : out_(out) {}

  NocPlan read(const YamlNode& root) {
    MapReader reader(root, "a network's file", out_);
    if (!root.is_map()) return std::move(plan_);
    const YamlEntry* name = reader.required("graph");
    const YamlEntry* width = reader.optional("link_width");
    const YamlEntry* routers = reader.required("routers");
    const YamlEntry* links = reader.required("links");
    const YamlEntry* routes = reader.optional("routes");
    reader.refuse_others();
    if (name != nullptr) ValueCodec<std::string>::read(name->value, "graph", plan_.name, out_);
    if (width != nullptr) read_width(width->value, "link_width", kWidest, plan_.link_width);
    if (routers == nullptr || links == nullptr) return std::move(plan_);
    read_routers(*routers);
    read_links(*links);
    attach_endpoints(*routers);
    if (out_.has_errors()) return std::move(plan_);
    find_ways(*links, routes);
    return std::move(plan_);
  }

 private:
  using Place = std::pair<unsigned, unsigned>;  // row, column

  void read_width(const YamlNode& node, const std::string& name, Bytes most, Bytes& width) {
    Bytes read = width;
    if (!ValueCodec<Bytes>::read(node, name, read, out_)) return;
    if (read < kNarrowest || read > most || (read.value & (read.value - 1)) != 0) {
      out_.error(node.location(), fmt::format("`{}` is {}", name, show(read)),
                 fmt::format("a power of two from {} to {}", show(kNarrowest), show(most)));
      return;
    }
    width = read;
  }

  void read_routers(const YamlEntry& section) {
    const auto& entries = section.value.entries();
    if (!section.value.is_map() || entries.empty() || entries.size() > kMostRouters) {
      out_.error(
          section.value.location(),
          fmt::format("`routers` is a map of routers and the places of their endpoints, {} at most", kMostRouters),
          "write it like `routers: {west: [[0, 0]], hub: []}`");
      return;
    }
    plan_.graph = NocGraph(entries.size());
    for (const YamlEntry& entry : entries) {
      const auto router = static_cast<std::uint32_t>(names_.size());
      names_.push_back(entry.name());
      plan_.graph.set_name(router, entry.name());
      if (!entry.value.is_sequence()) {
        out_.error(entry.value.location(), "the places of `" + entry.name() + "` are a list",
                   "write it like `" + entry.name() + ": [[0, 0], [1, 0]]`, or `[]`");
        continue;
      }
      for (const YamlNode& place : entry.value.items()) read_place(place, router);
    }
  }

  void read_place(const YamlNode& node, std::uint32_t router) {
    const auto number = [&](std::size_t i) {
      return detail::parse_whole(node.items()[i].scalar(), std::numeric_limits<unsigned>::max());
    };
    const bool is_pair = node.is_sequence() && node.items().size() == 2;
    if (!is_pair || !number(0) || !number(1) || *number(0).value >= kMostColumns || *number(1).value >= kMostColumns) {
      out_.error(node.location(), fmt::format("a place of `{}` is [column, row]", names_[router]),
                 fmt::format("two whole numbers below {}, like `[0, 3]`", kMostColumns));
      return;
    }
    const auto column = static_cast<unsigned>(*number(0).value), row = static_cast<unsigned>(*number(1).value);
    const auto [before, is_free] = places_.emplace(Place(row, column), router);
    if (!is_free) {
      out_.error(
          node.location(),
          fmt::format("[{}, {}] stands at `{}` and at `{}`", column, row, names_[before->second], names_[router]),
          "each place has one router");
    }
    plan_.columns = std::max(plan_.columns, column + 1);
    plan_.rows = std::max(plan_.rows, row + 1);
  }

  std::optional<std::uint32_t> router(const YamlNode& node) {
    const auto found = std::find(names_.begin(), names_.end(), node.scalar());
    if (node.is_scalar() && found != names_.end()) return static_cast<std::uint32_t>(found - names_.begin());
    out_.error(node.location(), node.is_scalar() ? "there is no router `" + node.scalar() + "`" : "a router is a name",
               help_for_unknown(node.scalar(), names_));
    return {};
  }

  void read_links(const YamlEntry& section) {
    if (!section.value.is_sequence()) {
      out_.error(section.value.location(), "`links` is a list", "write it like `links: [{between: [west, hub]}]`");
    }
    if (names_.empty()) return;
    for (const YamlNode& node : section.value.items()) read_link(node);
  }

  void read_link(const YamlNode& node) {
    MapReader reader(node, "a link", out_);
    if (!node.is_map()) return;
    const YamlEntry* between = reader.required("between");
    const YamlEntry* width = reader.optional("width");
    const YamlEntry* latency = reader.optional("latency");
    reader.refuse_others();
    Bytes own = plan_.link_width;
    Cycles cycles(1);
    if (width != nullptr) read_width(width->value, "width", plan_.link_width, own);
    if (latency != nullptr && ValueCodec<Cycles>::read(latency->value, "latency", cycles, out_) &&
        (cycles < Cycles(1) || cycles > Cycles(kMostLatency))) {
      out_.error(latency->value.location(),
                 fmt::format("`latency` is {}, outside 1 .. {} cycles", show(cycles), kMostLatency));
    }
    if (between == nullptr) return;
    const auto& ends = between->value.items();
    if (ends.size() != 2) {
      out_.error(between->value.location(), "a link is between two routers", "write it like `between: [west, hub]`");
      return;
    }
    const auto a = router(ends[0]), b = router(ends[1]);
    if (!a || !b) return;
    if (*a == *b) return out_.error(ends[1].location(), "a link joins `" + names_[*a] + "` to itself");
    if (!joined_.insert(std::minmax(*a, *b)).second) {
      return out_.error(between->value.location(),
                        "`" + names_[*a] + "` and `" + names_[*b] + "` are joined by two links",
                        "a wider link, or a router between them");
    }
    plan_.graph.join(*a, *b, LinkDirection::between, LinkDirection::between,
                     {.latency = static_cast<std::uint32_t>(cycles.value),
                      .flit_cycles = static_cast<std::uint32_t>(plan_.link_width / own)});
  }

  /// Endpoints are numbered row by row, whatever the order in the file.
  void attach_endpoints(const YamlEntry& section) {
    if (out_.has_errors()) return;
    for (unsigned tile = 0; tile < plan_.columns * plan_.rows; ++tile) {
      const auto at = places_.find(Place(tile / plan_.columns, tile % plan_.columns));
      if (at == places_.end()) {
        return out_.error(section.key.location(),
                          fmt::format("place [{}, {}] has no router", tile % plan_.columns, tile / plan_.columns),
                          fmt::format("the places fill {} columns and {} rows", plan_.columns, plan_.rows));
      }
      plan_.graph.attach(at->second);
    }
    if (places_.empty()) return out_.error(section.key.location(), "no router has an endpoint");
    for (std::uint32_t i = 0; i < names_.size(); ++i) {
      if (plan_.graph.ports(i).size() <= NocGraph::kMostPorts) continue;
      out_.error(section.key.location(), fmt::format("`{}` has {} ports", names_[i], plan_.graph.ports(i).size()),
                 fmt::format("at most {}, for links and endpoints", NocGraph::kMostPorts));
    }
  }

  void find_ways(const YamlEntry& links, const YamlEntry* routes) {
    plan_.routes_place = routes == nullptr ? links.key.location() : routes->key.location();
    const auto shortest = NocRoutes::shortest(plan_.graph, links.key.location());
    if (!shortest) return out_.append(shortest.diagnostics());
    std::vector<NocHop> hops;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      for (std::size_t to = 0; to < plan_.graph.endpoints(); ++to) hops.push_back(shortest->at(i, to));
    }
    if (routes != nullptr) read_routes(*routes, hops);
    plan_.routes = NocRoutes(plan_.graph.endpoints(), 1, std::move(hops));
  }

  void read_routes(const YamlEntry& section, std::vector<NocHop>& hops) {
    if (!section.value.is_map()) {
      out_.error(section.value.location(), "`routes` is a map of routers",
                 "write it like `routes: {west: {east: hub}}`");
    }
    for (const YamlEntry& entry : section.value.entries()) {
      const auto at = router(entry.key);
      if (!entry.value.is_map()) {
        out_.error(entry.value.location(), "the routes at `" + entry.name() + "` are a map of where packets are to go",
                   "write it like `" + entry.name() + ": {east: hub}`");
      }
      for (const YamlEntry& way : entry.value.entries()) {
        const auto to = router(way.key), next = router(way.value);
        if (at && to && next) set_hop(way, {*at, *to, *next}, hops);
      }
    }
  }

  struct Way {
    std::uint32_t at, to, next;
  };
  void set_hop(const YamlEntry& entry, const Way& way, std::vector<NocHop>& hops) {
    if (way.at == way.to) {
      return out_.error(entry.key.location(), "what is at `" + names_[way.at] + "` for its endpoints has arrived");
    }
    const auto& ports = plan_.graph.ports(way.at);
    const auto port = std::find_if(ports.begin(), ports.end(), [&](const NocPort& candidate) {
      return candidate.leads == NocPort::Leads::to_router && candidate.index == way.next;
    });
    if (port == ports.end()) {
      return out_.error(entry.value.location(), "no link joins `" + names_[way.at] + "` and `" + names_[way.next] + "`",
                        "the next router on the way is a neighbour");
    }
    for (std::size_t endpoint = 0; endpoint < plan_.graph.endpoints(); ++endpoint) {
      if (plan_.graph.endpoint(endpoint).router != way.to) continue;
      hops[way.at * plan_.graph.endpoints() + endpoint].port = static_cast<std::uint8_t>(port - ports.begin());
    }
  }

  Diagnostics& out_;
  NocPlan plan_;
  std::vector<std::string> names_;
  std::map<Place, std::uint32_t> places_;  // to routers
  std::set<std::pair<std::uint32_t, std::uint32_t>> joined_;
};

}  // namespace

Checked<NocPlan> read_noc_plan(const Source& source) {
  Diagnostics found;
  const auto root = parse_yaml(source, found);
  if (!root) return found;
  NocPlan plan = PlanReader(found).read(*root);
  if (found.has_errors()) return found;
  return {std::move(plan), std::move(found)};
}

}  // namespace archsim
