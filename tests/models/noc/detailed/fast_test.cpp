// The packet-level model of the SoC beside the detailed network, under the same random traffic.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "arch/describe/values/enum_names.h"
#include "models/noc/probe/probe.h"

namespace archsim {
namespace {

std::string name_of(const NocProbe& probe) {
  return std::string(enum_name(probe.topology)) + " " + std::to_string(probe.columns) + "x" +
         std::to_string(probe.rows) + " " + std::string(enum_name(probe.router)) + " " +
         std::string(enum_name(probe.traffic)) + ", " + std::to_string(probe.vcs) + " vcs, " +
         std::to_string(probe.packet_flits) + " flits, at " + std::to_string(probe.rate);
}

/// What the detailed network carries of the least load that it cannot carry, found by halving.
double saturation(NocProbe probe) {
  probe.cycles = 6000;
  double carried = 0.0, not_carried = 1.0;
  for (unsigned i = 0; i < 6; ++i) {
    probe.rate = (carried + not_carried) / 2;
    const auto result = probe_detailed(probe);
    // Beyond saturation the wait in the source's queue grows with the time.
    const bool is_carried = result->packet_latency_avg_cycles < 0.05 * static_cast<double>(probe.cycles);
    (is_carried ? carried : not_carried) = probe.rate;
  }
  return carried;
}

/// The error of the packet-level latency at a part of saturation.
double error_at(NocProbe probe, double load) {
  probe.rate = load;
  probe.cycles = 30000;
  const double detailed = probe_detailed(probe)->packet_latency_avg_cycles;
  return probe_packets(probe)->packet_latency_avg_cycles / detailed - 1.0;
}

class FastBesideDetailed : public testing::TestWithParam<unsigned> {};

// 3 % below half of saturation, 10 % up to 80 %: random networks and traffic. Not drawn, because there it does not hold (docs/noc.md): fewer
// than four virtual channels, and close to saturation packets of less than eight flits and permutations.
TEST_P(FastBesideDetailed, LatenciesAgree) {
  std::mt19937 random(GetParam());
  const auto pick = [&](auto... choices) {
    const std::array all = {choices...};
    return all[random() % all.size()];
  };
  NocProbe probe;
  probe.topology = pick(NocTopology::mesh, NocTopology::mesh, NocTopology::torus);
  probe.columns = probe.rows = pick(4U, 4U, 5U);
  probe.router = pick(Router::r2, Router::r4);
  probe.vcs = pick(4U, 8U);
  probe.packet_flits = pick(1U, 4U, 8U, 9U);
  probe.buffer = pick(8U, 16U);
  probe.traffic = pick(NocPattern::uniform, NocPattern::transpose, NocPattern::hotspot20, NocPattern::hotspot4corner);
  const double full = saturation(probe);
  for (const auto& [part, limit] : {std::pair{0.25, 0.03}, {0.48, 0.03}, {0.65, 0.10}, {0.78, 0.10}}) {
    const bool is_close = part > 0.7;
    if (is_close && (probe.packet_flits < 8 || probe.traffic == NocPattern::transpose)) continue;
    EXPECT_LE(std::abs(error_at(probe, part * full)), limit) << name_of(probe) << " of " << full << ", part " << part;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, FastBesideDetailed, testing::Range(1U, 9U));

}  // namespace
}  // namespace archsim
