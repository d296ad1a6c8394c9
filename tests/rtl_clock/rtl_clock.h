// The model's clock beside the RTL's: random products mapped onto configs/soc/rtl_small.yaml, and matmuls alone in the array.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arch/program/command.h"
#include "models/accel/cosim/cosim.h"

namespace archsim {

struct ClockCase {
  std::uint32_t m = 1, n = 1, k = 1;
  std::uint64_t latency = 10;  // of the memory, cycles
  Dataflow dataflow = Dataflow::weight_stationary;
  std::uint64_t seed = 1;

  std::string name() const;
};

/// Shapes of all sizes up to `largest`, latencies of 10 to 500 cycles, both dataflows.
std::vector<ClockCase> clock_cases(std::size_t count, std::uint64_t seed, std::uint32_t largest);

/// In a SystemC kernel that has run nothing yet.
CosimResult run_product(const ClockCase& one);

/// Random matmuls on operands that are on chip. In a SystemC kernel that has run nothing yet.
CosimResult run_array(std::uint64_t seed, std::size_t matmuls);
/// The same on the core of `request`.
CosimResult run_array(CosimRequest request, std::uint64_t seed, std::size_t matmuls);

/// How far a program is from what it should be.
struct ClockVerdict {
  double program_error = 0.0;  // of the whole, relative
  std::size_t commands = 0;
  std::uint64_t farthest = 0;               // cycles
  std::vector<CosimCommand> inexact_array;  // array commands that are not equal
  std::vector<CosimCommand> far;            // neither within 1 % nor within 2 cycles
};
ClockVerdict verdict(const CosimResult& result);

/// For people: which command, and its cycles in both.
std::string text_of(const CosimCommand& command);

}  // namespace archsim
