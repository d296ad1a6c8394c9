// A Verilated `accel_core`, whatever its parameters, one clock cycle at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "accel-rtl/dv/pins.h"

namespace archsim::rtl {

/// The parameters of a core, named as in the RTL.
struct CoreParams {
  std::uint64_t rows = 0, cols = 0;
  std::uint64_t scratchpad_bytes = 0, scratchpad_banks = 0, port_bytes = 0, accumulator_bytes = 0;
  std::uint64_t queue_depth = 0;
  std::uint64_t dma_outstanding = 0, dma_burst_bytes = 0, dma_setup_cycles = 0, dma_descriptors = 0;
  std::uint64_t semaphores = 2;
  friend bool operator==(const CoreParams&, const CoreParams&) = default;
};

class Core {
 public:
  virtual ~Core() = default;

  /// Outputs for these inputs, within the current cycle.
  virtual const CoreOutputs& settle(const CoreInputs& in) = 0;
  /// The rising edge that ends the cycle; takes the inputs of the latest `settle`.
  virtual void clock() = 0;
  /// Cycles since it was built.
  virtual std::uint64_t cycle() const = 0;
  /// Writes what happens in cycles first..last to an FST file, from now on.
  virtual void trace(const std::string& path, std::uint64_t first, std::uint64_t last) = 0;
};

/// A core that this program contains.
struct BuiltCore {
  CoreParams params;
  std::unique_ptr<Core> (*make)() = nullptr;
};
/// That of configs/soc/rtl_small.yaml, then those of the CMake variable ARCHSIM_RTL_CORES.
const std::vector<BuiltCore>& built_cores();
/// Null if there is none with these parameters; more semaphores than asked for do no harm.
const BuiltCore* find_core(const CoreParams& params);

/// As ARCHSIM_RTL_CORES has it: "Rows=8,Cols=8,...".
std::string parameter_text(const CoreParams& params);
CoreParams params_of(std::string_view text);

}  // namespace archsim::rtl
