#include "arch/machine/capabilities.h"

namespace archsim {

double MachineView::peak_macs_per_second(Dtype dtype) const {
  double peak = 0.0;
  for (const auto& accelerator : accelerators) {
    const auto rate = accelerator.macs_per_pe.find(dtype);
    if (rate == accelerator.macs_per_pe.end()) continue;
    peak += rate->second * accelerator.rows * accelerator.columns * static_cast<double>(accelerator.clock.value);
  }
  return peak;
}

Bytes MachineView::on_chip_capacity() const {
  Bytes capacity = l2 ? l2->capacity : Bytes::zero();
  if (cache) capacity += cache->capacity;
  for (const auto& accelerator : accelerators) capacity += accelerator.scratchpad + accelerator.accumulator;
  return capacity;
}

}  // namespace archsim
