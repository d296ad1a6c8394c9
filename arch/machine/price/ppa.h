// Power, performance (as energy) and area of a machine and of a run on it: the answer of pricing, as plain numbers.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arch/cost/tech.h"

namespace archsim {

/// A number with its interval: from the bands of the coefficients it is made of, those of one source moving together and sources
/// independently.
struct Amount {
  double low = 0.0, nominal = 0.0, high = 0.0;
};

using Named = std::vector<std::pair<std::string, double>>;

struct BlockPpa {
  std::string name, kind;
  Amount energy_j, peak_power_w, area_mm2;
  double leakage_w = 0.0;
  Named
      energy_by_event_j;  // events in table order; then operand_delivery (part of the products'), leakage, clock, standing
  Named area_by_part_mm2;
};

/// A coefficient that something was priced with.
struct SourceUse {
  Cost cost = Cost::mac_int8;
  Coefficient coefficient;
  double energy_share = 0.0;  // by which the energy falls when it is halved, doubled
};

/// How much of the interval of a total one coefficient makes.
struct Contributor {
  Cost cost = Cost::mac_int8;
  double down = 0.0, up = 0.0;  // change of the total at the coefficient's ends
};

/// Of a whole chip; arch/cost/die.h says what is assumed.
struct DieCost {
  double per_wafer = 0.0, yield = 0.0;
  double wafer_usd = 0.0, defects_per_cm2 = 0.0;
  Amount cost_usd;  // of a good die, not tested and not packaged
};

/// What a run draws in the course of time.
struct PowerOverTime {
  double average_w = 0.0;
  double peak_1us_w = 0.0, peak_10us_w = 0.0, peak_1ms_w = 0.0;  // the highest mean over so long
  double interval_s = 0.0;
  std::vector<double> watts;  // means of intervals, one after another
};

struct Ppa {
  std::string tech;
  double node_nm = 0.0, voltage_v = 0.0, temperature_k = 0.0;
  bool has_run = false;
  double time_s = 0.0;
  Amount energy_j, average_power_w;  // of a run
  Amount peak_power_w, leakage_w, area_mm2;
  double dram_energy_j = 0.0, dram_peak_power_w = 0.0;  // of these: DRAM devices with I/O and PHY
  std::vector<BlockPpa> blocks;  // in the order of the SoC; those with `priced: false` are left out
  std::vector<std::string> not_priced;
  std::optional<DieCost> die;          // of a whole chip
  std::optional<PowerOverTime> power;  // of a run whose operators are known
  double overhead_mm2 = 0.0;           // pads, PLLs, test, spare
  double tile_pitch_mm = 0.0;
  std::vector<SourceUse> sources;  // in table order
  std::vector<Contributor>
      contributors;  // to the energy's interval (without a run: the peak power's), the three greatest
  std::vector<Contributor> area_contributors;
  std::vector<double> operators_j;      // of RunResult::operators, in their order
  std::vector<double> operators_own_j;  // of these, their events on accelerators
  Named unattributed_j;                 // what belongs to no operator; with operators_j it sums to the energy
};

}  // namespace archsim
