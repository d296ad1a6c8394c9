// Synthetic traffic between endpoints: when packets are made, and where they go. Reference: docs/noc.md.
#pragma once

#include <cstdint>
#include <vector>

#include "models/noc/probe/lagged_fibonacci.h"

namespace archsim {

/// uniform: to every endpoint alike, itself too. transpose: from column c of row r to column r of row c. hotspot20: one packet of
/// five to the endpoint at (rows / 2, columns / 2), the others to all others alike. hotspot4corner: to the four corners alike.
enum class NocPattern : std::uint8_t { uniform, transpose, hotspot20, hotspot4corner };

class NocTraffic {
 public:
  struct Params {
    NocPattern pattern = NocPattern::uniform;
    unsigned columns = 4, rows = 4;
    double packets_per_cycle = 0.0;  // of an endpoint: Bernoulli, in each cycle with this probability
    std::uint32_t seed = 1;
  };
  explicit NocTraffic(const Params& params);

  /// Whether an endpoint makes a packet in a cycle; to be asked once for each.
  bool makes_packet() { return fractions_.next() < params_.packets_per_cycle; }
  std::uint32_t destination(std::uint32_t source);

 private:
  std::uint32_t below(std::uint32_t limit) { return integers_.next() % limit; }

  Params params_;
  std::vector<std::uint32_t> corners_;
  LaggedFibonacci<LaggedFractions> fractions_;
  LaggedFibonacci<LaggedIntegers> integers_;
};

}  // namespace archsim
