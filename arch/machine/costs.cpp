#include "arch/machine/costs.h"

#include <utility>

#include "arch/cost/shape.h"

namespace archsim {

Part logic_part(std::string name, CostFunction gates, double register_bits, std::string busy_with) {
  Part part;
  part.name = std::move(name);
  part.area_mm2 = [gates, register_bits](const CostValues& cost) {
    return logic_area_mm2(cost, gates(cost) + register_bits * cost(Cost::gates_register_bit));
  };
  part.leakage_mw = [area = part.area_mm2](const CostValues& cost) { return area(cost) * cost(Cost::logic_leakage); };
  part.register_bits = register_bits;
  part.busy_with = std::move(busy_with);
  return part;
}

Part sram_part(std::string name, const SramShape& shape) {
  Part part;
  part.name = std::move(name);
  part.area_mm2 = [shape](const CostValues& cost) { return sram_area_mm2(cost, shape); };
  part.leakage_mw = [shape](const CostValues& cost) {
    return shape.bytes / (1 << 20) * cost(Cost::sram_leakage) *
           (shape.has_two_ports ? cost(Cost::sram_two_port_area) : 1.0);
  };
  return part;
}

CostFunction fixed(Cost cost, double times) {
  return [cost, times](const CostValues& values) { return values(cost) * times; };
}

}  // namespace archsim
