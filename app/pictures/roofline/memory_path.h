// What a memory gives in one direction, and what stands between it and the accelerators.
#pragma once

#include "arch/machine/soc_spec.h"

namespace archsim {

/// Bytes a second, of all accelerators together.
struct MemoryPath {
  double device = 0.0;  // the best stream that the devices give, refresh taken off
  double ports = 0.0;   // its endpoints' links
  double links = 0.0;   // the most loaded link under uniform traffic; infinite if the topology cannot say
  double dmas = 0.0;    // outstanding x burst / latency

  /// What of the device's bandwidth can arrive.
  double achievable() const;
};

/// `block` is the memory's, `memory` its capabilities in `machine`, which is the view of `spec`.
MemoryPath path_to(const SocSpec& spec, const BlockSpec& block, const MemoryCapabilities& memory,
                   const MachineView& machine);

}  // namespace archsim
