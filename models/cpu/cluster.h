// The host: a cluster of CPU cores that runs what no accelerator can, and starts and awaits the accelerators.
//
// Models:     the host's command stream with loops and semaphores; operations by cycles an element over all cores; their memory
//             transfers as bursts over the interconnect, and maintenance of cache lines shared with accelerators; a launch cost for each doorbell, an interrupt cost where the host slept.
// Leaves out: what caches save, instruction fetch, branch behaviour, other processes; overlap of an operation's transfers with its computing.
// Numbers:    tables.h; cycles an element are assumed for a 128-bit SIMD core (Arm Cortex-A78 class), launch and
//             interrupt as their lines say.
// Checked by: tests/models/cpu.
#pragma once

#include <memory>
#include <string_view>

#include "arch/block/model.h"
#include "arch/machine/capabilities.h"
#include "models/cpu/tables.h"

namespace archsim {

class HostCore;

class Cluster final : public Model<ClusterParams, ClusterStats, ClusterEvents> {
 public:
  static constexpr std::string_view kSummary = "CPU cores: host, fallback, pre- and post-processing";

  Cluster(const sc_core::sc_module_name& name, const Params& params, const BuildContext& context);
  ~Cluster() override;

  /// What the mapper may know of it; the name is left to the SoC.
  static HostCapabilities host(const Params& params, Frequency clock);

  static BlockCosts costs(const Params& params, Frequency clock);

  std::vector<InitiatorPort*> initiator_ports() override;
  std::vector<TargetPort*> target_ports() override;
  Traffic requested() const override;
  bool finished() const override;
  std::vector<std::string> waiting() const override;
  std::uint64_t progress() const override;
  Time busy_until() const override;
  BlockReport report(Time elapsed) const override;

 private:
  std::unique_ptr<HostCore> core_;
};

}  // namespace archsim
