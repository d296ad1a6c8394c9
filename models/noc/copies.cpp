// A write of the same data to several extents: on each link of the tree to its ports they go once.
#include <algorithm>
#include <map>
#include <set>

#include "models/noc/job.h"
#include "models/noc/network.h"

namespace archsim {
namespace {

using Targets = std::vector<std::uint32_t>;  // by copy

}  // namespace

void Network::send_copies(const Asked& asked, const Spaces& spaces, const Extent& extent, Job& job) {
  const Rows rows = Rows::of(extent);
  // What goes to the same ports is a train. Granules of the copies need not lie alike, so a piece ends where the first of them does.
  std::map<Targets, Train> trains;
  Targets targets(extent.copies);
  for (std::uint64_t row = 0; row < rows.count; ++row) {
    for (std::uint64_t done = 0, bytes = 0; done < rows.bytes; done += bytes) {
      bytes = rows.bytes - done;
      for (std::uint32_t copy = 0; copy < extent.copies; ++copy) {
        const Space& space = *spaces[copy];
        const std::uint64_t granule = space.ports.granule();
        const std::uint64_t at = rows.base + copy * extent.copy_pitch + row * rows.pitch + done - space.region->base;
        bytes = std::min(bytes, granule - at % granule);
        targets[copy] = space.first_target + space.ports.way_of(at);
      }
      trains[targets].add(bytes, 1, extent.burst_bytes, params_.link_width.value);
    }
  }
  job.copied.assign(extent.copies, {});
  for (const auto& [ports, train] : trains) send_tree(asked, ports, train, job);
}

void Network::send_tree(const Asked& asked, const std::vector<std::uint32_t>& targets, const Train& train, Job& job) {
  const Attachment& from = context_.fabric->initiators[asked.initiator];
  const NocShape& shape = links_.paths().shape();
  std::vector<std::size_t> tiles;
  for (const std::uint32_t target : targets) {
    const Attachment& to = context_.fabric->targets[target];
    tiles.push_back(shape.tile_at(to.column, to.row));
  }
  const RouteTree tree = links_.paths().tree(shape.tile_at(from.column, from.row), tiles);
  const std::size_t ejections = std::set<std::size_t>(tree.leaves.begin(), tree.leaves.end()).size();
  const std::uint64_t flits = train.packets * header_flits(params_.header) + train.payload_flits;
  count(tree.links.size(), tree.links.size() - ejections, train.packets, flits);
  const Cycles sent = grid_.edge_at(asked.data), before = links_.waited();
  std::vector<FlitStream> arrivals;
  links_.carry_tree(tree, {sent, sent, flits}, arrivals, asked.priority);
  shares_[asked.initiator].waited += links_.waited() - before;
  for (std::size_t copy = 0; copy < targets.size(); ++copy) {
    const auto [arrival, is_first] = job.copied[copy].emplace(targets[copy], arrivals[copy]);
    if (is_first) continue;
    arrival->second.first = std::min(arrival->second.first, arrivals[copy].first);
    arrival->second.last = std::max(arrival->second.last, arrivals[copy].last);
    arrival->second.flits += flits;
  }
}

}  // namespace archsim
