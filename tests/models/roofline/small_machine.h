// A machine with round numbers.
#pragma once

#include "arch/machine/capabilities.h"

namespace archsim {

/// One accelerator: 10 x 10 at 1 GHz (100 GMAC/s in bf16), 10 lanes; 1 GB/s of DRAM; 1,000 bytes on chip beside the 400
/// that the processing elements hold; a host that takes 1 ms for anything.
inline MachineView small_machine() {
  MachineView machine;
  AcceleratorCapabilities npu;
  npu.name = "npu0";
  npu.clock = 1_GHz;
  npu.rows = 10;
  npu.columns = 10;
  npu.macs_per_pe = {{Dtype::bf16, 1.0}};
  npu.scratchpad = 800_B;
  npu.accumulator = 200_B;
  npu.vector_lanes = 10;
  for (std::size_t f = 0; f < kVectorFunctions; ++f)
    npu.vector_cycles_per_element[static_cast<VectorFunction>(f)] = 5.0;
  npu.vector_cycles_per_element[VectorFunction::rmsnorm] = 2.0;
  npu.vector_cycles_per_element[VectorFunction::softmax_step] = 4.0;
  npu.vector_cycles_per_element[VectorFunction::glu_gelu_erf] = 6.0;
  machine.accelerators = {npu};
  machine.dram.peak = Bandwidth(1e9);
  machine.host.estimate = [](const Operator&, std::uint64_t) { return std::optional<Time>(1_ms); };
  return machine;
}

}  // namespace archsim
