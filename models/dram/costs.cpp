// What DRAM commands cost: device core by command, I/O with PHY and controller by bit, devices standing by over time; the PHY and the
// controller take area on the SoC, the devices take none.
//
// The family of a standard is the start of its name, up to the data rate: lpddr5x-8533 is lpddr5, with its higher rate.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "models/dram/banked.h"
#include "models/dram/standard_table.h"

namespace archsim {
namespace {

/// The first of a family's coefficients; the others follow in the order of the table.
constexpr std::array<std::pair<std::string_view, Cost>, 6> kFamilies{{{"ddr4", Cost::ddr4_read_bit},
                                                                      {"ddr5", Cost::ddr5_read_bit},
                                                                      {"lpddr4", Cost::lpddr4_read_bit},
                                                                      {"lpddr5", Cost::lpddr5_read_bit},
                                                                      {"hbm2", Cost::hbm2_read_bit},
                                                                      {"hbm3", Cost::hbm3_read_bit}}};
enum DramLine : unsigned { read_bit, write_bit, activate, refresh, background, io_bit, phy_area };

Cost cost_of(Cost family, DramLine line) { return static_cast<Cost>(static_cast<unsigned>(family) + line); }

}  // namespace

BlockCosts BankedDram::costs(const BankedDramParams& params, Frequency) {
  const auto standard = params.standard.get();
  BlockCosts costs;
  costs.is_chip = true;
  const Cost* family = nullptr;
  for (const auto& [name, first] : kFamilies) {
    if (standard->standard.rfind(name, 0) == 0) family = &first;
  }
  if (family == nullptr) return costs;  // its events are not priced, which the pricing tells
  const Cost first = *family;
  const double bits = 8.0 * static_cast<double>(standard->burst.value), channels = params.channels;
  const double bursts = channels * standard->peak().value / static_cast<double>(standard->burst.value);
  const auto burst = [=](DramLine line) -> CostFunction {
    return [=](const CostValues& cost) { return bits * (cost(cost_of(first, line)) + cost(cost_of(first, io_bit))); };
  };
  const auto time = [&](const DramTiming& timing) { return seconds(timing.time(standard->clock)); };
  const double activates = 1.0 / std::max({time(standard->t_rrd_s), time(standard->t_faw) / 4.0,
                                           1.0 / static_cast<double>(standard->clock.value)});
  costs.events = {{.energy_pj = burst(read_bit), .peak_per_s = bursts, .group = "bus"},
                  {.energy_pj = burst(write_bit), .peak_per_s = bursts, .group = "bus"},
                  {.energy_pj = fixed(cost_of(first, activate)), .peak_per_s = channels * activates},
                  {.energy_pj = fixed(cost_of(first, refresh)), .peak_per_s = channels / time(standard->t_refi)}};
  const double peak = channels * standard->peak().value / 1e9;
  Part devices;
  devices.name = "devices";
  devices.standing_mw = fixed(cost_of(first, background), channels);
  Part phy;
  phy.name = "phy";
  phy.area_mm2 = fixed(cost_of(first, phy_area), peak);
  phy.leakage_mw = [area = phy.area_mm2](const CostValues& cost) { return area(cost) * cost(Cost::logic_leakage); };
  costs.parts = {devices, phy, logic_part("controllers", fixed(Cost::dram_controller_gates, channels), 0.0)};
  return costs;
}

}  // namespace archsim
