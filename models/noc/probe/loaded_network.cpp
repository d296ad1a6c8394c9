#include "models/noc/probe/loaded_network.h"

#include <algorithm>

namespace archsim {

LoadedNetwork::LoadedNetwork(const NocGraph& graph, const NocRoutes& routes, const DetailedNocParams& params,
                             const NocTraffic::Params& traffic, unsigned packet_flits)
    : network_(graph, routes, params),
      traffic_(traffic),
      packet_flits_(packet_flits),
      made_until_(graph.endpoints(), 0) {}

void LoadedNetwork::enter(Phase phase) {
  phase_ = phase;
  if (phase == Phase::measuring) clear();
  if (phase == Phase::draining) drain_cycle_ = network_.now();
}

void LoadedNetwork::make_packets(std::uint32_t endpoint) {
  for (std::uint64_t& cycle = made_until_[endpoint]; cycle <= network_.now(); ++cycle) {
    if (!traffic_.makes_packet()) continue;
    DetailedNetwork::Packet packet{.source = endpoint, .destination = traffic_.destination(endpoint)};
    packet.flits = packet_flits_;
    packet.created = cycle;
    packet.is_measured = phase_ == Phase::measuring || (phase_ == Phase::draining && cycle < drain_cycle_);
    measured_under_way_ += packet.is_measured ? 1 : 0;
    network_.offer(packet);
    ++cycle;
    return;
  }
}

void LoadedNetwork::step() {
  const std::uint64_t before = network_.delivered_flits();
  network_.receive();
  if (phase_ != Phase::draining) {
    measured_.delivered_flits += network_.delivered_flits() - before;
    ++measured_.cycles;
  }
  for (const DetailedNetwork::Packet& packet : network_.delivered()) {
    measured_under_way_ -= packet.is_measured ? 1 : 0;
    if (!packet.is_measured && phase_ != Phase::warming_up) continue;
    ++measured_.packets;
    measured_.packet_latency += static_cast<double>(packet.arrived - packet.created);
    measured_.network_latency += static_cast<double>(packet.arrived - packet.injected);
    measured_.hops += packet.hops;
  }
  for (std::uint32_t i = 0; i < made_until_.size(); ++i) {
    if (network_.is_free(i)) make_packets(i);
  }
  network_.advance();
}

bool LoadedNetwork::is_drained() const {
  return measured_under_way_ == 0 &&
         std::all_of(made_until_.begin(), made_until_.end(), [&](std::uint64_t cycle) { return cycle > drain_cycle_; });
}

}  // namespace archsim
