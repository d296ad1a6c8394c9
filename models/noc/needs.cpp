// What an initiator sees of a region, and what a transaction needs of the links, for the what-if timing (arch/block/what_if).
#include <algorithm>
#include <map>

#include "models/noc/network.h"

namespace archsim {

const Network::Space& Network::seen_by(unsigned initiator, const Region& region) const {
  const auto index = static_cast<std::size_t>(&region - context_.map->regions.data());
  if (!region.front || context_.fabric->initiators[initiator].block == region.front->block) return spaces_[index];
  std::size_t through = context_.map->regions.size();
  while (spaces_[through].region != &region) ++through;
  return spaces_[through];
}

Needs Network::needs_of(unsigned initiator, const Space& space, bool is_write, std::uint64_t burst,
                        const std::vector<Train>& trains) {
  Needs needs;
  needs.endpoint = initiator;
  const auto cycle_ps = static_cast<double>(grid_.span(Cycles(1)).value);
  std::uint64_t bytes = 0;
  for (const Train& train : trains) {
    needs.heads_ps += static_cast<double>(train.packets * header_flits(params_.header)) * cycle_ps;
    needs.payload_ps += static_cast<double>(train.payload_flits) * cycle_ps;
    bytes += train.bytes;
  }
  needs.burst_ps = static_cast<double>(ceil_div(std::min(burst, bytes), params_.link_width.value)) * cycle_ps;
  const Hot& hot = hot_link(initiator, space, is_write);
  needs.hot_link = hot.link;
  needs.hot_part = hot.part;
  return needs;
}

const Network::Hot& Network::hot_link(unsigned initiator, const Space& space, bool is_write) {
  Hot& hot = hot_[(space.index * context_.fabric->initiators.size() + initiator) * 2 + (is_write ? 1 : 0)];
  const std::uint64_t transactions = stats_.transactions.value;
  if (transactions < hot.until) return hot;
  hot = {.until = transactions + std::clamp<std::uint64_t>(transactions / 4, 16, 1024)};
  const Routes& any = routes(initiator, space.first_target);
  Cycles most = links_.booked(is_write ? any.forward.front() : any.back.back());  // its own
  std::map<std::uint32_t, unsigned> ways;
  for (unsigned port = 0; port < space.ports.ways(); ++port) {
    const Routes& both = routes(initiator, space.first_target + port);
    const Route& route = is_write ? both.forward : both.back;
    for (const std::uint32_t link : route) {
      ++ways[link];
      if (const Cycles booked = links_.booked(link); booked > most) {
        most = booked;
        hot.link = link;
        hot.part = 1.0;
      }
    }
  }
  if (hot.part > 0.0) hot.part = static_cast<double>(ways[hot.link]) / space.ports.ways();
  return hot;
}

}  // namespace archsim
