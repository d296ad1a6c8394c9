// A core alone: the ideal memory on its AXI4 port, its program at hand, a host that starts it and waits for its interrupt.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "accel-rtl/dv/core.h"
#include "accel-rtl/dv/registers.h"
#include "accel-rtl/dv/surroundings/axi_memory.h"
#include "accel-rtl/dv/surroundings/csr_host.h"
#include "accel-rtl/dv/surroundings/program_memory.h"

namespace archsim::rtl {

struct Waves {
  std::string path;                            // empty: none
  std::uint64_t first = 0, last = UINT64_MAX;  // cycles from the start
};

struct BenchSetup {
  const BuiltCore* core = nullptr;
  AxiMemoryParams memory;            // its pauses are `pauses`
  std::uint64_t declared_bytes = 0;  // of memory, as the core's registers have it; 0: what there is
  std::uint64_t fetch_latency = 1;
  PauseParams pauses;
  /// Semaphores that the host rings, once the core waits for them.
  std::vector<unsigned> doorbells;
  std::size_t stats = 0;             // how many of the stats to read at the end
  std::uint64_t limit = 10'000'000;  // cycles in which it has to finish
  Waves waves;
};

struct BenchError {
  registers::ErrorCode code = registers::ErrorCode::none;
  unsigned stream = 0;
  std::uint32_t index = 0;
};

/// What the performance counters say.
struct BenchCounters {
  std::vector<std::uint64_t> stats;                                                  // in the order of accel_config_pkg
  std::array<std::array<std::uint64_t, registers::kEngineTimes>, kEngines> times{};  // cycles, by registers::EngineTime
};

struct BenchResult {
  bool finished = false;  // else an error, or the limit
  std::optional<BenchError> error;
  bool interrupted = false;  // the interrupt pin rose
  /// From cycle 0 on: in it the last of the host's doorbells shows, and waits for it issue; without any, fetching begins.
  std::uint64_t cycles = 0;
  std::array<std::vector<std::uint64_t>, kEngines> completions;  // when progress counters count
  std::vector<AxiMemory::Doorbell> doorbells;                    // rung by the core; cycles from the start
  std::array<std::uint32_t, kEngines> progress{};                // as the registers say at the end
  BenchCounters counters;                                        // from cycle 0 on
};

class Bench {
 public:
  Bench(const BenchSetup& setup, EncodedStreams streams);

  SparseMemory& memory() { return memory_.contents(); }
  CsrHost& host() { return host_; }
  /// Resets, starts, and runs to the interrupt or the limit. Once.
  BenchResult run();
  /// Registers, once it has run, or before.
  std::uint32_t read_register(std::uint32_t address);
  void write_register(std::uint32_t address, std::uint32_t value);

 private:
  void step();
  void configure();
  void start();
  void note_waits();
  std::uint64_t read_counter(std::uint32_t address);
  void read_counters(BenchCounters& counters);
  void finish(BenchResult& result);

  BenchSetup setup_;
  std::unique_ptr<Core> core_;
  AxiMemory memory_;
  ProgramMemory program_;
  CsrHost host_;
  CoreInputs in_;
  bool irq_ = false;
  std::uint64_t start_ = 0;
  /// An engine's time before cycle 0: what was read in cycle `at`, and whether it counts from there on.
  struct Noted {
    std::uint64_t value = 0, at = 0;
    bool counts = false;
  };
  std::array<std::array<Noted, registers::kEngineTimes>, kEngines> noted_{};
  std::array<std::vector<std::uint64_t>, kEngines> completions_;
};

}  // namespace archsim::rtl
