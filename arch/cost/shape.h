// Energy and area of what comes in sizes: SRAM macros, register files and logic, from a technology's coefficients.
//
// The shape in size, width and ports is CACTI 7's; the level is that of published silicon.
#pragma once

#include "arch/cost/tech.h"

namespace archsim {

/// Equal macros that make up a memory.
struct SramShape {
  double bytes = 0.0;          // of all macros together
  double macros = 1.0;         // independent ones
  double width_bits = 64.0;    // of an access of one macro
  bool has_two_ports = false;  // a read and a write port

  double macro_bytes() const { return bytes / macros; }
};

/// Picojoules.
double sram_read_pj(const CostValues& cost, const SramShape& shape);
double sram_write_pj(const CostValues& cost, const SramShape& shape);
double sram_area_mm2(const CostValues& cost, const SramShape& shape);
double logic_area_mm2(const CostValues& cost, double gates);

}  // namespace archsim
