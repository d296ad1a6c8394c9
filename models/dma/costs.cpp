// What a byte and a transfer through a stand-alone DMA cost: a read and a write side, channels' registers, buffers for what is under way.
#include "models/dma/dma.h"

namespace archsim {

BlockCosts StandAloneDma::costs(const DmaParams& params, Frequency clock) {
  const double hz = static_cast<double>(clock.value);
  const double port = static_cast<double>(params.port_width.value);
  BlockCosts costs;
  costs.clock_hz = hz;
  costs.events = {{.energy_pj = fixed(Cost::dma_byte), .peak_per_s = 2.0 * port * hz},
                  {.energy_pj = fixed(Cost::dma_descriptor), .peak_per_s = hz / 4.0}};
  const double buffer = 2.0 * params.outstanding * static_cast<double>(params.burst.value);
  costs.parts = {
      logic_part("engines", fixed(Cost::gates_dma, 2.0),
                 32.0 * port + 512.0 * static_cast<double>(params.reads.size())),
      sram_part("buffers", {.bytes = buffer, .macros = 2.0, .width_bits = 8.0 * port, .has_two_ports = true})};
  return costs;
}

}  // namespace archsim
