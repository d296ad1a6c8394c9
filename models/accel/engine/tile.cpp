#include "models/accel/engine/tile.h"

#include <fmt/format.h>

namespace archsim {
Tile::Tile(const SystolicParams& given, const BuildContext& with)
    : params(given),
      context(with),
      shape(given),
      grid(with.clock),
      csr(csr_bases(with)),
      memory("memory"),
      semaphores("semaphores", grid, csr.size(), csr.at(with.accelerator)),
      doorbell_requester(memory),
      doorbells([this](std::uint64_t address) {
        if (doorbell_requester.ring(address)) return;
        context.faults->fault(FaultKind::bad_address, context.name,
                              fmt::format("a doorbell at {:#x}: nobody answers", address));
      }),
      ports(shape.scratchpad_width()) {}

}  // namespace archsim
