// One program on the SystemC model and on the RTL, behind the same ideal memory: cycles command by command, and the data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "accel-rtl/dv/bench.h"
#include "arch/program/check/limits.h"
#include "arch/program/program.h"
#include "models/accel/cosim/command_times.h"
#include "models/accel/tables.h"

namespace archsim {

struct CosimRequest {
  SystolicParams params;
  Frequency clock = Frequency::zero();
  const rtl::BuiltCore* core = nullptr;
  /// For one accelerator. Its host only signals and waits: what it signals is rung before the start.
  const Program* program = nullptr;
  MemoryRange memory;            // that the program uses
  std::uint64_t latency = 50;    // of the memory, cycles
  double bytes_per_cycle = 0.0;  // each way; 0: what the port carries
  std::uint64_t seed = 1;        // of the memory's bytes at the start
  rtl::PauseParams pauses;       // of the RTL's surroundings; the model knows none
  bool is_hasty = false;         // AxiMemoryParams
  rtl::Waves waves;
  const std::vector<std::byte>* contents = nullptr;  // of the memory at the start; null: random where the program reads
};

struct CosimCommand {
  CommandTime model, rtl;
};

/// A performance counter of the RTL beside what the model reports: stats by their names, and the time of each engine in cycles,
/// "load.busy", "store.memory".
struct CosimCounter {
  std::string name;
  double model = 0.0, rtl = 0.0;
};

struct CosimResult {
  std::uint64_t model_cycles = 0, rtl_cycles = 0;  // from the start to the last completion
  std::vector<CosimCommand> commands;              // executed work commands, stream by stream
  std::vector<CosimCounter> counters;              // all that the RTL has
  bool data_match = false;                         // the RTL's memory with that of the functional executor
  std::string problem;                             // why there are no such numbers: what did not finish, and why

  double error() const {
    return rtl_cycles == 0 ? 0.0 : static_cast<double>(model_cycles) / static_cast<double>(rtl_cycles) - 1.0;
  }
};

/// In a SystemC kernel that has run nothing yet.
CosimResult cosim(const CosimRequest& request);

}  // namespace archsim
