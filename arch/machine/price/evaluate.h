// One evaluation of a machine's costs at given values of the coefficients.
#pragma once

#include <optional>
#include <vector>

#include "arch/cost/die.h"
#include "arch/machine/costs.h"
#include "arch/machine/price/ppa.h"
#include "arch/machine/run_result.h"
#include "arch/machine/soc_spec.h"

namespace archsim {

struct PricedBlock {
  const BlockSpec* spec = nullptr;
  BlockCosts costs;
  const BlockReport* report = nullptr;  // of a run
};

struct BlockNumbers {
  std::vector<double> events_j;  // in table order
  double delivery_j = 0.0, leakage_j = 0.0, clock_j = 0.0, standing_j = 0.0;
  double peak_w = 0.0, leakage_w = 0.0;
  std::vector<double> parts_mm2;

  double energy_j() const;
  double area_mm2() const;
};

struct Numbers {
  std::vector<BlockNumbers> blocks;
  double energy_j = 0.0, peak_w = 0.0, leakage_w = 0.0, area_mm2 = 0.0, overhead_mm2 = 0.0, tile_pitch_mm = 0.0;
  std::optional<Die> die;  // of a whole chip
};

/// The blocks that are priced, with their costs, and the run's reports if there is one.
std::vector<PricedBlock> priced_blocks(const SocSpec& spec, const RunResult* run);
Numbers evaluate(const std::vector<PricedBlock>& blocks, double time_s, CostValues& values);

}  // namespace archsim
