#include "models/noc/costs.h"

namespace archsim {
namespace {

/// Of a link, in pitches of the tiles: a neighbour's distance; twice that in a folded torus; half the way across to a router
/// in the middle, or at the end of a row.
double pitches(const NetworkShape& shape) {
  switch (shape.topology) {
    case NocTopology::torus:
      return 2.0;
    case NocTopology::crossbar:
      return (shape.columns + shape.rows) / 4.0 + 0.5;
    case NocTopology::hierarchical:
      return shape.columns / 4.0 + 0.5;
    case NocTopology::mesh:
    case NocTopology::ring:
    case NocTopology::graph:
      break;
  }
  return 1.0;
}

}  // namespace

BlockCosts network_costs(const NetworkShape& shape, Frequency clock) {
  const double bits = 8.0 * static_cast<double>(shape.link_width.value);
  double ports = 0.0;
  for (std::size_t router = 0; router < shape.graph.routers(); ++router) {
    ports += static_cast<double>(shape.graph.ports(router).size());
  }
  const double hz = static_cast<double>(clock.value);
  const double length = pitches(shape);
  BlockCosts costs;
  costs.clock_hz = hz;
  costs.tiles = shape.columns * shape.rows;
  // A flit through a router leaves it by a port; over a link it comes to one, injection and ejection included.
  costs.events = {
      {.energy_pj = fixed(Cost::router_bit, bits), .peak_per_s = ports * hz},
      {.energy_pj =
           [=](const CostValues& cost) { return cost(Cost::link_bit_mm) * bits * length * cost.tile_pitch_mm; },
       .peak_per_s = (ports + static_cast<double>(shape.graph.endpoints())) * hz}};
  Part routers = logic_part(
      "routers", [](const CostValues&) { return 0.0; }, ports * bits);
  routers.area_mm2 = fixed(Cost::router_bit_area, ports * bits * 1e-6);
  routers.leakage_mw = [area = routers.area_mm2](const CostValues& cost) {
    return area(cost) * cost(Cost::logic_leakage);
  };
  costs.parts = {routers};
  return costs;
}

}  // namespace archsim
