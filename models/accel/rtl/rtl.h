// The accelerator's RTL as a block of the SoC: the Verilated core behind a bridge from AXI4 to TLM-2.0.
//
// Models:     the core, cycle by cycle, with its data; its memory port, one payload a burst; its registers, through which others
//             ring its semaphores; commands from the program as a memory that answers in the next cycle.
// Leaves out: the program memory's traffic on the interconnect; reads of its registers by others. Bytes that were never written
//             are what the memories' models say.
// Numbers:    the RTL's own. Params choose among the cores that this build contains, and say nothing more: what they say of
//             element types and of a vector unit that the RTL has not is ignored, and the mapper knows (capabilities).
// Checked by: tests/rtl: beside the functional executor, beside the systolic model alone, and in one SoC with it.
#pragma once

#include <memory>
#include <string_view>

#include "arch/block/model.h"
#include "arch/machine/capabilities.h"
#include "arch/machine/catalog.h"
#include "models/accel/tables.h"

namespace archsim {

class RtlCore;

class Rtl final : public Model<SystolicParams, SystolicStats, SystolicEvents> {
 public:
  static constexpr std::string_view kSummary = "the accelerator's RTL, Verilated: int8 products, no vector unit";

  Rtl(const sc_core::sc_module_name& name, const Params& params, const BuildContext& context);
  ~Rtl() override;

  static AcceleratorCapabilities accelerator(const Params& params, Frequency clock);
  static BlockCosts costs(const Params& params, Frequency clock);
  static void check(const Params& params, const ParamLocation& where, Diagnostics& out);

  std::vector<InitiatorPort*> initiator_ports() override;
  std::vector<TargetPort*> target_ports() override;
  Traffic requested() const override;
  bool finished() const override;
  std::vector<std::string> waiting() const override;
  std::uint64_t progress() const override;
  BlockReport report(Time elapsed) const override;

 private:
  std::unique_ptr<RtlCore> core_;
};

}  // namespace archsim
