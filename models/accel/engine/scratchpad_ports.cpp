#include "models/accel/engine/scratchpad_ports.h"

#include <algorithm>

namespace archsim {

std::uint64_t ScratchpadPorts::cycles_needed(Engine engine, Cycles begin, std::uint64_t cycles,
                                             std::uint64_t bytes) const {
  const std::uint64_t end = begin.value + cycles;
  std::uint64_t others = 0;
  for (std::size_t i = 0; i < kEngines; ++i) {
    if (i == static_cast<std::size_t>(engine) || uses_[i].end <= begin.value) continue;
    for (const Use& use : uses_[i].use) {
      const std::uint64_t from = std::max(use.begin, begin.value), to = std::min(use.end, end);
      if (from < to) others += use.bytes * (to - from) / (use.end - use.begin);
    }
  }
  return others == 0 ? cycles : std::max(cycles, ceil_div(bytes + others, width_));
}

void ScratchpadPorts::use(Engine engine, Cycles begin, Cycles end, std::uint64_t bytes) {
  Uses& uses = uses_[static_cast<std::size_t>(engine)];
  uses.use[uses.next] = {begin.value, end.value, bytes};
  uses.next = (uses.next + 1) % kRemembered;
  uses.end = std::max(uses.end, end.value);
}

}  // namespace archsim
