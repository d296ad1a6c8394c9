// The scratchpad's bandwidth, shared by the engines of one accelerator.
//
// Within the cycles of a command, everything that all engines access must fit into banks * port_width bytes a cycle; if it does not,
// the command takes longer. DMA comes first: its buffers are small, and it is never stretched. Array and vector unit are
// stretched by what DMA and the other one, as far as its commands are planned already, access in the same cycles, spread evenly.
// Only each engine's latest few commands are remembered.
#pragma once

#include <array>
#include <cstdint>

#include "arch/program/command.h"
#include "arch/units/quantity.h"

namespace archsim {

class ScratchpadPorts {
 public:
  explicit ScratchpadPorts(std::uint64_t bytes_per_cycle) : width_(bytes_per_cycle) {}

  /// How many of them `engine` needs for `bytes` of its own, from `begin` on, if it were to take `cycles` alone.
  std::uint64_t cycles_needed(Engine engine, Cycles begin, std::uint64_t cycles, std::uint64_t bytes) const;
  void use(Engine engine, Cycles begin, Cycles end, std::uint64_t bytes);

 private:
  struct Use {
    std::uint64_t begin = 0, end = 0, bytes = 0;
  };
  static constexpr std::size_t kRemembered = 4;
  struct Uses {
    std::array<Use, kRemembered> use{};
    std::size_t next = 0;
    std::uint64_t end = 0;  // the latest
  };
  std::uint64_t width_;
  std::array<Uses, kEngines> uses_{};
};

}  // namespace archsim
