#include "models/roofline/doubled.h"

namespace archsim {

std::optional<MachineView> doubled(const MachineView& machine, Doubling doubling) {
  MachineView twice = machine;
  switch (doubling) {
    case Doubling::compute:
      for (auto& accelerator : twice.accelerators) {
        for (auto& [dtype, macs] : accelerator.macs_per_pe) macs *= 2.0;
      }
      return twice;
    case Doubling::vector:
      for (auto& accelerator : twice.accelerators) accelerator.vector_lanes *= 2;
      return twice;
    case Doubling::dram:
      twice.dram.peak = Bandwidth(machine.dram.peak.value * 2.0);
      return twice;
    case Doubling::cpu:
      if (!machine.host.estimate) return twice;
      twice.host.estimate = [estimate = machine.host.estimate](const Operator& op, std::uint64_t elements) {
        auto time = estimate(op, elements);
        if (time) time = Time(time->value / 2);
        return time;
      };
      return twice;
    default:
      return {};
  }
}

}  // namespace archsim
