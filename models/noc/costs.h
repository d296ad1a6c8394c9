// Models: routers by port and bit of width, links by bit and length; a link is as long as its topology makes it, in pitches of
//   the tiles among which the die is divided.
// Leaves out: toggling by data; clock gating of single ports; repeaters' area.
// Numbers: the technology's router_bit, router_bit_area, link_bit_mm.
// Checked by: tests/models/ppa.
#pragma once

#include "arch/machine/costs.h"
#include "arch/units/quantity.h"
#include "models/noc/topology/graph.h"

namespace archsim {

struct NetworkShape {
  const NocGraph& graph;
  NocTopology topology;
  unsigned columns, rows;
  Bytes link_width;
};

BlockCosts network_costs(const NetworkShape& shape, Frequency clock);

}  // namespace archsim
