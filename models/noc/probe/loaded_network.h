// A detailed network under synthetic traffic, with what is measured of it.
//
// A source queue has no end: it is kept as the time up to which its endpoint has made packets. Packets made while measuring are
// measured, wherever they end; after that, those made late for a time before its end.
#pragma once

#include <cstdint>
#include <vector>

#include "models/noc/detailed/network.h"
#include "models/noc/probe/traffic.h"

namespace archsim {

struct NocMeasured {
  std::uint64_t packets = 0, delivered_flits = 0, cycles = 0;
  double packet_latency = 0.0, network_latency = 0.0, hops = 0.0;  // sums
  double latency_average() const { return packet_latency / static_cast<double>(packets); }
  double network_latency_average() const { return network_latency / static_cast<double>(packets); }
  double hops_average() const { return hops / static_cast<double>(packets); }
  double accepted(std::size_t endpoints) const {
    return static_cast<double>(delivered_flits) / static_cast<double>(cycles) / static_cast<double>(endpoints);
  }
};

class LoadedNetwork {
 public:
  enum class Phase : std::uint8_t { warming_up, measuring, draining };

  LoadedNetwork(const NocGraph& graph, const NocRoutes& routes, const DetailedNocParams& params,
                const NocTraffic::Params& traffic, unsigned packet_flits);

  void step();
  void run(std::uint64_t cycles) {
    for (std::uint64_t i = 0; i < cycles; ++i) step();
  }
  /// What is measured begins anew.
  void clear() {
    measured_ = {};
    first_cycle_ = network_.now();
  }
  /// Clears too when measuring begins.
  void enter(Phase phase);
  /// All packets that are to be measured have arrived.
  bool is_drained() const;

  const NocMeasured& measured() const { return measured_; }
  /// The sum of how long packets have been under way that did not arrive yet, once for each flit, and their number.
  std::pair<double, std::uint64_t> under_way() const;
  const DetailedNetwork& network() const { return network_; }

 private:
  void make_packets(std::uint32_t endpoint);

  DetailedNetwork network_;
  NocTraffic traffic_;
  unsigned packet_flits_;
  Phase phase_ = Phase::warming_up;
  std::uint64_t first_cycle_ = 0, drain_cycle_ = 0;
  std::uint64_t measured_under_way_ = 0;
  std::vector<std::uint64_t> made_until_;  // by endpoint
  NocMeasured measured_;
};

}  // namespace archsim
