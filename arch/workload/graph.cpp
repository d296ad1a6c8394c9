#include "arch/workload/graph.h"

#include <algorithm>
#include <boost/graph/depth_first_search.hpp>
#include <utility>

#include "arch/workload/copies.h"

namespace archsim {
namespace {

struct Access {
  std::uint32_t op = 0;
  bool is_write = false;
  const TensorUse* use = nullptr;
};

enum class Alias { never, perhaps, always };

// Accesses of one tensor, in program order; an operator reads before it writes.
using Accesses = std::vector<Access>;

std::vector<Accesses> accesses_of(const Trace& trace) {
  std::vector<Accesses> out(trace.tensors.size());
  for (std::uint32_t op = 0; op < trace.operators.size(); ++op) {
    for (const auto& use : trace.operators[op].inputs) out[use.tensor].push_back({op, false, &use});
    for (const auto& use : trace.operators[op].outputs) out[use.tensor].push_back({op, true, &use});
  }
  return out;
}

class Builder {
 public:
  explicit Builder(const Trace& trace) : trace_(trace), positions_(positions(trace)), graph_(trace.operators.size()) {}

  OperatorGraph build() {
    const auto accesses = accesses_of(trace_);
    for (std::uint32_t tensor = 0; tensor < accesses.size(); ++tensor) {
      const auto& uses = accesses[tensor];
      if (std::none_of(uses.begin(), uses.end(), [](const Access& use) { return use.is_write; })) continue;
      tensor_ = tensor;
      for (std::size_t i = 0; i < accesses[tensor].size(); ++i) connect(accesses[tensor], i);
    }
    for (std::uint32_t op = 0; op < trace_.operators.size(); ++op) {
      for (const auto before : trace_.operators[op].dependencies) {
        add(before, op, {.kind = Dependence::explicit_order});
      }
    }
    return graph_;
  }

 private:
  bool stands_in(std::uint32_t op, std::uint32_t loop) const {
    const auto& loops = positions_[op].loops;
    return std::find(loops.begin(), loops.end(), loop) != loops.end();
  }

  bool share(const Access& a, const Access& b, std::uint32_t loop) const {
    return stands_in(a.op, loop) && stands_in(b.op, loop);
  }

  // Whether source loop `m` has the same iteration in both, when `carrier` (or none) carries the dependence.
  bool same_iteration(const Access& a, const Access& b, std::uint32_t m, std::uint32_t carrier) const {
    if (!share(a, b, m)) return false;
    if (carrier == DependenceEdge::kNone) return true;
    const auto& loops = positions_[a.op].loops;
    return std::find(loops.begin(), loops.end(), m) < std::find(loops.begin(), loops.end(), carrier);
  }

  // A loop over all copies that has ended when `to` runs, such as one over the observations of a batch.
  bool covers_all(const Access& from, const Access& to, std::size_t dimension) const {
    const auto& index = from.use->copy[dimension];
    if (index.loop == CopyIndex::kFixed || index.offset != 0 || stands_in(to.op, index.loop)) return false;
    const auto of_loop = [&](const CopyIndex& other) { return other.loop == index.loop; };
    return std::count_if(from.use->copy.begin(), from.use->copy.end(), of_loop) == 1 &&
           trace_.loops[index.loop].count == trace_.tensors[tensor_].copies[dimension];
  }

  Alias alias_along(const Access& from, const Access& to, std::size_t dimension, std::uint32_t carrier) const {
    const auto& a = from.use->copy[dimension];
    const auto& b = to.use->copy[dimension];
    if (a.loop == CopyIndex::kFixed && b.loop == CopyIndex::kFixed) {
      return a.offset == b.offset ? Alias::always : Alias::never;
    }
    if (a.loop == b.loop && same_iteration(from, to, a.loop, carrier)) {
      return a.offset == b.offset ? Alias::always : Alias::never;
    }
    if (a.loop == b.loop && a.loop == carrier) {  // from's iteration is earlier, so it must write ahead
      return a.offset > b.offset && a.offset - b.offset < trace_.loops[carrier].count ? Alias::perhaps : Alias::never;
    }
    if (from.is_write && covers_all(from, to, dimension)) return Alias::always;
    const auto extent = [&](const CopyIndex& index) -> std::uint64_t {
      return index.loop == CopyIndex::kFixed ? 1 : trace_.loops[index.loop].count;
    };
    return a.offset < b.offset + extent(b) && b.offset < a.offset + extent(a) ? Alias::perhaps : Alias::never;
  }

  Alias alias(const Access& from, const Access& to, std::uint32_t carrier) const {
    Alias all = Alias::always;
    for (std::size_t d = 0; d < from.use->copy.size(); ++d) {
      const auto one = alias_along(from, to, d, carrier);
      if (one == Alias::never) return Alias::never;
      if (one == Alias::perhaps) all = Alias::perhaps;
    }
    return all;
  }

  // Adds the edge from -> to if there is one; returns whether `from` hides everything before it from `to`.
  bool link(const Access& from, const Access& to, std::uint32_t carrier) {
    if (!from.is_write && !to.is_write) return false;
    const auto how = alias(from, to, carrier);
    if (how == Alias::never) return false;
    const auto kind = !to.is_write    ? Dependence::read_after_write
                      : from.is_write ? Dependence::write_after_write
                                      : Dependence::write_after_read;
    add(from.op, to.op, {.kind = kind, .tensor = tensor_, .loop = carrier});
    return from.is_write && how == Alias::always;
  }

  void connect(const Accesses& accesses, std::size_t index) {
    const Access& to = accesses[index];
    const Access* hider = nullptr;
    for (std::size_t i = index; i-- > 0 && !hider;) {
      if (accesses[i].op != to.op && link(accesses[i], to, DependenceEdge::kNone)) hider = &accesses[i];
    }
    for (const auto loop : positions_[to.op].loops) {
      if (trace_.loops[loop].count < 2) continue;
      if (hider && stands_in(hider->op, loop)) continue;  // it runs again in each iteration, before `to`
      for (std::size_t i = accesses.size(); i-- > 0;) {
        if (stands_in(accesses[i].op, loop) && link(accesses[i], to, loop)) break;
      }
    }
  }

  void add(std::uint32_t from, std::uint32_t to, DependenceEdge edge) {
    // An operator that uses one tensor twice gives the same edge twice.
    for (const auto& old : boost::make_iterator_range(boost::out_edges(from, graph_))) {
      const auto& known = graph_[old];
      if (boost::target(old, graph_) == to && known.kind == edge.kind && known.tensor == edge.tensor &&
          known.loop == edge.loop) {
        return;
      }
    }
    boost::add_edge(from, to, edge, graph_);
  }

  const Trace& trace_;
  std::vector<Position> positions_;
  OperatorGraph graph_;
  std::uint32_t tensor_ = 0;
};

struct FoundCycle {
  std::vector<std::uint32_t> path;
};

// Remembers the tree path, and stops at the first edge that closes a cycle.
struct CycleFinder : boost::dfs_visitor<> {
  std::vector<std::uint32_t>* parents;

  template <class Graph>
  void tree_edge(typename Graph::edge_descriptor edge, const Graph& graph) {
    (*parents)[boost::target(edge, graph)] = static_cast<std::uint32_t>(boost::source(edge, graph));
  }

  template <class Graph>
  void back_edge(typename Graph::edge_descriptor edge, const Graph& graph) {
    const auto first = static_cast<std::uint32_t>(boost::target(edge, graph));
    auto at = static_cast<std::uint32_t>(boost::source(edge, graph));
    FoundCycle found;
    for (; at != first; at = (*parents)[at]) found.path.push_back(at);
    found.path.push_back(first);
    throw found;  // the only way out of Boost's search; caught in find_cycle
  }
};

}  // namespace

OperatorGraph operator_graph(const Trace& trace) { return Builder(trace).build(); }

std::vector<std::uint32_t> find_cycle(const OperatorGraph& graph) {
  std::vector<std::uint32_t> parents(boost::num_vertices(graph));
  CycleFinder finder;
  finder.parents = &parents;
  try {
    boost::depth_first_search(within_iteration(graph), boost::visitor(finder));
  } catch (const FoundCycle& found) {
    return found.path;
  }
  return {};
}

}  // namespace archsim
