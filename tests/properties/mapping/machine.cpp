#include "tests/properties/mapping/machine.h"

namespace archsim {

MachineView view_of(const TestMachine& machine) {
  MachineView view;
  view.soc = "test";
  for (unsigned a = 0; a < machine.accelerators; ++a) {
    AcceleratorCapabilities npu;
    npu.name = "npu" + std::to_string(a);
    npu.clock = 1_GHz;
    npu.rows = npu.columns = machine.side;
    npu.macs_per_pe = {{Dtype::int8, 1.0}};
    if (machine.bf16) npu.macs_per_pe[Dtype::bf16] = npu.macs_per_pe[Dtype::fp32] = 1.0;
    npu.dataflows = {Dataflow::weight_stationary};
    npu.scratchpad = Bytes(machine.scratchpad);
    npu.accumulator = Bytes(machine.accumulator);
    npu.vector_lanes = machine.vector_lanes;
    for (std::size_t f = 0; machine.vector_lanes > 0 && f < kVectorFunctions; ++f) {
      npu.vector_cycles_per_element[static_cast<VectorFunction>(f)] = 1.0;
    }
    npu.dma_burst = 64_B;
    npu.dma_outstanding = 8;
    npu.memory_port = Bandwidth(64e9);
    view.accelerators.push_back(npu);
  }
  view.dram = {
      .name = "dram", .base = 0x8000'0000, .capacity = 1_GiB, .peak = Bandwidth(50e9), .delivered = Bandwidth(45e9)};
  if (machine.l2 > 0) {
    view.l2 = MemoryCapabilities{.name = "l2",
                                 .base = 0x1000'0000,
                                 .capacity = Bytes(machine.l2),
                                 .peak = Bandwidth(128e9),
                                 .delivered = Bandwidth(128e9)};
  }
  view.host.name = "cpu";
  view.host.estimate = [](const Operator&, std::uint64_t) { return std::optional<Time>(1_us); };
  return view;
}

ProgramLimits limits_of(const MachineView& view) {
  ProgramLimits limits;
  limits.memories.push_back({view.dram.name, view.dram.base, view.dram.capacity.value});
  if (view.l2) limits.memories.push_back({view.l2->name, view.l2->base, view.l2->capacity.value});
  for (const auto& npu : view.accelerators)
    limits.accelerators.push_back({npu.name, npu.scratchpad.value, npu.accumulator.value});
  return limits;
}

}  // namespace archsim
