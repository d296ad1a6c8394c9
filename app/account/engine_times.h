// Where the engines' time went, summed over any set of executed operators.
#pragma once

#include <array>

#include "arch/machine/run_result.h"
#include "arch/program/command.h"

namespace archsim {

/// Seconds, of all accelerators together.
struct EngineTimes {
  std::array<double, kEngines> busy_s{};
  std::array<std::array<double, kWaitReasons>, kEngines> wait_s{};
  double host_s = 0.0, launch_s = 0.0;
  double host_memory_s = 0.0;  // the host's operations in memory transfers
  double dram_bytes = 0.0;

  EngineTimes& operator+=(const OperatorRun& run);

  double busy(Engine engine) const { return busy_s[static_cast<std::size_t>(engine)]; }
  double wait(Engine engine, WaitReason reason) const {
    return wait_s[static_cast<std::size_t>(engine)][static_cast<std::size_t>(reason)];
  }
  /// Moving data or held up by what moves it: the port, DRAM, l2, interconnect, the DMA's own limits.
  double transfer(Engine engine) const;
  double waits(Engine engine) const;
};

}  // namespace archsim
