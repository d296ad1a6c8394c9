#include "models/accel/rtl/built.h"

#include <fmt/format.h>

#include "models/accel/systolic.h"

namespace archsim {

rtl::CoreParams core_params(const SystolicParams& params, unsigned accelerators) {
  return {.rows = params.rows,
          .cols = params.cols,
          .scratchpad_bytes = params.scratchpad.capacity.value,
          .scratchpad_banks = params.scratchpad.banks,
          .port_bytes = params.scratchpad.port_width.value,
          .accumulator_bytes = params.accumulator.value,
          .queue_depth = params.queue_depth,
          .dma_outstanding = params.dma.outstanding,
          .dma_burst_bytes = params.dma.burst.value,
          .dma_setup_cycles = params.dma.setup.value,
          .dma_descriptors = params.dma.descriptors,
          .semaphores = accelerators + 1U};
}

Checked<const rtl::BuiltCore*> core_for(const SystolicParams& params, unsigned accelerators, const Location& where) {
  if (rtl::built_cores().empty()) {
    return Diagnostic{.message = "this build has no RTL",
                      .location = where,
                      .help = "install Verilator and configure again: cmake --preset release -DARCHSIM_RTL=ON"};
  }
  const rtl::CoreParams wanted = core_params(params, accelerators);
  if (const rtl::BuiltCore* core = rtl::find_core(wanted)) return core;
  return Diagnostic{.message = "this build has no RTL core with these sizes",
                    .location = where,
                    .help = fmt::format("build it beside the others: cmake --preset release '-DARCHSIM_RTL_CORES={}'",
                                        rtl::parameter_text(wanted))};
}

SystolicParams rtl_subset(SystolicParams params) {
  params.dtypes = {{Dtype::int8, 1.0}};
  params.sparsity.clear();
  params.weight_decoder = false;
  std::erase_if(params.dataflows, [](Dataflow dataflow) { return dataflow == Dataflow::input_stationary; });
  params.overlap = Overlap::full;
  params.vector_lanes = 0;
  params.requantizing_store = true;
  params.smmu.entries = 0;
  return params;
}

AcceleratorCapabilities rtl_capabilities(const SystolicParams& params, Frequency clock) {
  return Systolic::accelerator(rtl_subset(params), clock);
}

}  // namespace archsim
