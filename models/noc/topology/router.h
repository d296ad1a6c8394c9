// Router pipelines, and what an idle network takes.
#pragma once

#include <cstdint>

#include "arch/units/quantity.h"

namespace archsim {

enum class Router : std::uint8_t { r2, r4 };

/// Pipeline depth. R2 speculates and looks ahead; R4 has stages for route, VC allocation, switch allocation and traversal
/// (BookSim 2 with routing delay 0 and speculation, and with one cycle for each stage).
constexpr Cycles router_cycles(Router router) { return router == Router::r2 ? Cycles(2) : Cycles(4); }
/// Of flits behind the first: switch allocation and traversal.
constexpr Cycles kBodyRouterCycles = Cycles(2);
constexpr Cycles kLinkCycles = Cycles(1);
constexpr Cycles kInjectionCycles = Cycles(1);  // from the endpoint's register to the injection link

/// From a packet's first flit ready at its source to its last one received, nothing else under way. `hops` counts the
/// routers visited.
constexpr Cycles idle_packet_latency(Router router, std::uint64_t hops, std::uint64_t flits) {
  return (router_cycles(router) + kLinkCycles) * hops + kInjectionCycles + kLinkCycles + Cycles(flits - 1);
}

}  // namespace archsim
