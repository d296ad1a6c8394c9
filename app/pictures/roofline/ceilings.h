// The rates that no operator of a machine exceeds: the lines of a roofline picture.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "arch/machine/soc_spec.h"

namespace archsim {

struct MemoryCeiling {
  std::string name;          // scratchpad, noc, l2, cache or dram
  double bytes_per_s = 0.0;  // peak, read
  double achievable_bytes_per_s =
      0;  // what of it arrives at the accelerators: refresh, ports, links and DMAs taken off
};

struct Ceilings {
  std::vector<std::pair<std::string, double>> macs_per_s;  // by element type; with 2:4 zeros as "int8 two_of_four"
  double vector_elements_per_s = 0.0;                      // lanes at one element a cycle; 0 without vector units
  std::vector<MemoryCeiling> memories;                     // fastest first
};

/// Of all accelerators together. `machine` is the view of `spec`.
Ceilings ceilings(const SocSpec& spec, const MachineView& machine);

}  // namespace archsim
