// One accelerator tile: systolic array, vector unit, load and store engine, scratchpad, accumulator SRAM, command streams.
//
// Models:     the four command streams with loops, progress counters and semaphores; array timing by fold with preload, skew,
//             drain and their overlap (timing/array.h is the contract); vector throughput by function; DMA bursts in a sliding
//             window with set-up, descriptors under way and a port (models/stream/burst_window.h); scratchpad bandwidth shared by
//             array, vector unit and DMA; translation of the DMA's addresses.
// Leaves out: fetching of commands (streams are at hand); bank conflicts within the scratchpad's bandwidth and the accumulator
//             SRAM's between array, vector unit and store; instruction faults other than those listed in timing/legality.h.
// Numbers:    sizes from the SoC file; lane-cycles, set-up and queue depths of tables.h are assumed until the RTL says.
// Checked by: tests/models/accel: tests/data/array_reference.csv (SCALE-Sim v3), closed forms of every engine alone and of
//             loops, waits, deadlock and faults.
#pragma once

#include <memory>
#include <string_view>

#include "arch/block/model.h"
#include "arch/machine/capabilities.h"
#include "models/accel/tables.h"

namespace archsim {

class AcceleratorCore;

class Systolic final : public Model<SystolicParams, SystolicStats, SystolicEvents> {
 public:
  static constexpr std::string_view kSummary = "systolic array with vector unit, DMA and scratchpad, one tile";

  Systolic(const sc_core::sc_module_name& name, const Params& params, const BuildContext& context);
  ~Systolic() override;

  /// What the mapper may know of it; the name is left to the SoC.
  static AcceleratorCapabilities accelerator(const Params& params, Frequency clock);

  static BlockCosts costs(const Params& params, Frequency clock);

  std::vector<InitiatorPort*> initiator_ports() override;
  std::vector<TargetPort*> target_ports() override;
  Traffic requested() const override;
  bool finished() const override;
  std::vector<std::string> waiting() const override;
  std::uint64_t progress() const override;
  BlockReport report(Time elapsed) const override;
  /// When each of an engine's work commands completed, in edges of its clock, in order.
  const std::vector<Cycles>& completions(Engine engine) const;

 private:
  std::unique_ptr<AcceleratorCore> core_;
};

}  // namespace archsim
