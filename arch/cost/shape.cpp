#include "arch/cost/shape.h"

#include <cmath>

namespace archsim {

double sram_read_pj(const CostValues& cost, const SramShape& shape) {
  const double size = std::pow(shape.macro_bytes() / 32768.0, cost(Cost::sram_size_exponent));
  const double width = std::pow(shape.width_bits / 64.0, cost(Cost::sram_width_exponent));
  const double ports = shape.has_two_ports ? cost(Cost::sram_two_port_energy) : 1.0;
  return cost(Cost::sram_read) * size * width * ports;
}

double sram_write_pj(const CostValues& cost, const SramShape& shape) {
  return sram_read_pj(cost, shape) * cost(Cost::sram_write_ratio);
}

double sram_area_mm2(const CostValues& cost, const SramShape& shape) {
  // A macro's periphery: its efficiency falls as it gets small.
  const double half = cost(Cost::sram_half_size) * 1024.0;
  const double efficiency = cost(Cost::sram_efficiency) * shape.macro_bytes() / (shape.macro_bytes() + half);
  const double ports = shape.has_two_ports ? cost(Cost::sram_two_port_area) : 1.0;
  return shape.bytes * 8.0 * cost(Cost::sram_cell) * 1e-6 / efficiency * ports;
}

double logic_area_mm2(const CostValues& cost, double gates) { return gates * cost(Cost::gate_area) * 1e-6; }

}  // namespace archsim
