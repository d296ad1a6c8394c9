#include "models/noc/probe/traffic.h"

namespace archsim {

NocTraffic::NocTraffic(const Params& params)
    : params_(params),
      corners_{0, params.columns - 1, (params.rows - 1) * params.columns, params.columns * params.rows - 1},
      fractions_(params.seed),
      integers_(params.seed) {}

std::uint32_t NocTraffic::destination(std::uint32_t source) {
  const std::uint32_t endpoints = params_.columns * params_.rows;
  std::uint32_t to = 0;
  switch (params_.pattern) {
    case NocPattern::uniform:
      to = below(endpoints);
      break;
    case NocPattern::transpose:
      to = source % params_.columns * params_.columns + source / params_.columns;
      break;
    case NocPattern::hotspot20: {
      // Shares of 4 for each of the others and n - 1 for the hot one make it a fifth of all.
      const std::uint32_t hot = params_.rows / 2 * params_.columns + params_.columns / 2;
      const std::uint32_t share = below(5 * (endpoints - 1));
      if (share < 4 * hot) {
        to = share / 4;
      } else if (share < 4 * hot + endpoints - 1) {
        to = hot;
      } else {
        to = hot + 1 + (share - 4 * hot - (endpoints - 1)) / 4;
      }
      break;
    }
    case NocPattern::hotspot4corner:
      to = corners_[below(4)];
      break;
  }
  integers_.next();  // BookSim's choice among its one network
  return to;
}

}  // namespace archsim
