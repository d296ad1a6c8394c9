// What a word of SRAM costs and a slice takes: one macro a bank, single-ported.
#include "models/sram/banked.h"

namespace archsim {

BlockCosts BankedSram::costs(const BankedSramParams& params, Frequency clock) {
  const double banks = static_cast<double>(params.slices) * params.banks;
  const SramShape shape{.bytes = static_cast<double>(params.capacity.value),
                        .macros = banks,
                        .width_bits = 8.0 * static_cast<double>(params.port_width.value)};
  const double hz = static_cast<double>(clock.value);
  BlockCosts costs;
  costs.clock_hz = hz;
  // A slice has a read and a write port of a word a cycle.
  costs.events = {{.energy_pj = [=](const CostValues& cost) { return sram_read_pj(cost, shape); },
                   .peak_per_s = params.slices * hz},
                  {.energy_pj = [=](const CostValues& cost) { return sram_write_pj(cost, shape); },
                   .peak_per_s = params.slices * hz}};
  costs.parts = {sram_part("data", shape)};
  if (params.mode == SramMode::cache) {
    // A tag of 32 bit a line, with its state.
    const double lines = shape.bytes / static_cast<double>(params.cache.line.value);
    costs.parts.push_back(
        sram_part("tags", {.bytes = lines * 4.0, .macros = static_cast<double>(params.slices), .width_bits = 128.0}));
  }
  costs.parts.push_back(
      logic_part("slices", fixed(Cost::gates_array_edge, 2.0 * params.slices), 4.0 * params.slices * shape.width_bits));
  return costs;
}

}  // namespace archsim
