// What a core's cycle costs and a core takes, with L1, L2 and its part of the cluster.
#include "models/cpu/cluster.h"

namespace archsim {

BlockCosts Cluster::costs(const Params& params, Frequency clock) {
  const double hz = static_cast<double>(clock.value);
  BlockCosts costs;
  costs.clock_hz = hz;
  // A line moves in no less than a cycle of the cluster's one port.
  costs.events = {{.energy_pj = fixed(Cost::cpu_cycle), .peak_per_s = params.cores * hz},
                  {.energy_pj = fixed(Cost::cpu_line), .peak_per_s = hz}};
  Part cores;
  cores.name = "cores";
  cores.area_mm2 = fixed(Cost::cpu_area, params.cores);
  cores.leakage_mw = fixed(Cost::cpu_leakage, params.cores);
  costs.parts = {cores};
  return costs;
}

}  // namespace archsim
