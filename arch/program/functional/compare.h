// Does a Program compute what its Trace means? Loads given values, runs the program, reads back, and compares with the
// direct evaluation.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "arch/program/functional/machine.h"
#include "arch/program/program.h"
#include "arch/program/reference/values.h"

namespace archsim {

/// By tensor: true where a program that runs the operators one by one must equal the evaluation bit for bit, which is
/// wherever no attention or softmax had a part in the value.
std::vector<bool> reproducible_exactly(const Trace& trace);

/// The trace as a program computes it that keeps these tensors in fp32 on chip instead of rounding them to their type: they
/// get type fp32 and scale 1. For the intermediate values of fused operators.
Trace with_wide_tensors(Trace trace, const std::set<std::uint32_t>& tensors);

struct Tolerance {
  /// For tensors that are not reproducible exactly: of the root mean square of the difference, and of the largest
  /// difference, in terms of the largest expected magnitude. p in bf16 and one step of int8 are each below 1 %.
  double root_mean_square = 0.02;
  double largest = 0.08;
  /// For exact int8 tensors: steps that an element may be off (0 with a requantizing store, 1 without).
  int int8_steps = 0;
};

/// Puts all copies of the given tensors (weights, constants, inputs) of `values` where the program expects them.
void load_values(const Trace& trace, const Program& program, const TensorValues& values, AddressSpace& memory);

/// Tensors that outlive the trace: outputs and KV caches.
std::vector<std::uint32_t> result_tensors(const Trace& trace);

/// What differs, one sentence a tensor copy; empty if nothing does. NaN equals only NaN.
std::vector<std::string> differences(const Trace& trace, const Program& program, const TensorValues& expected,
                                     const AddressSpace& memory, const std::vector<std::uint32_t>& tensors,
                                     const Tolerance& tolerance = {});

struct EquivalenceRequest {
  std::uint64_t value_seed = 1;
  std::vector<std::uint64_t> order_seeds = {1, 2, 3};  // one run each
  std::vector<std::uint32_t> tensors;                  // to compare; empty: result_tensors
  std::set<std::uint32_t> wide;                        // see with_wide_tensors
  Tolerance tolerance;
};

/// check_program, then all of the above for random values. Sentences that say what went wrong, for which order; empty if the program is right.
std::vector<std::string> check_equivalence(const Trace& trace, const Program& program, const ProgramLimits& limits,
                                           const EquivalenceRequest& request = {});

}  // namespace archsim
