#include "tests/rtl/other_cores.h"

#include <memory>

#include "models/accel/rtl/built.h"

namespace archsim {
namespace rtl {

#include "tests/rtl/other_cores.inc"

}  // namespace rtl

SystolicParams params_of(const rtl::BuiltCore& built) {
  const rtl::CoreParams& core = built.params;
  SystolicParams params;
  params.rows = static_cast<unsigned>(core.rows);
  params.cols = static_cast<unsigned>(core.cols);
  params.scratchpad = {.capacity = Bytes(core.scratchpad_bytes),
                       .banks = static_cast<unsigned>(core.scratchpad_banks),
                       .port_width = Bytes(core.port_bytes)};
  params.accumulator = Bytes(core.accumulator_bytes);
  params.dataflows = {Dataflow::weight_stationary, Dataflow::output_stationary};
  params.dma = {.outstanding = static_cast<unsigned>(core.dma_outstanding),
                .burst = Bytes(core.dma_burst_bytes),
                .setup = Cycles(core.dma_setup_cycles),
                .descriptors = static_cast<unsigned>(core.dma_descriptors)};
  params.queue_depth = static_cast<unsigned>(core.queue_depth);
  return rtl_subset(params);
}

}  // namespace archsim
