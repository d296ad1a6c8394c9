// An accelerator's params as its timing needs them: looked up once, then used for every command. Pure.
#pragma once

#include <array>
#include <cstdint>

#include "arch/program/command.h"
#include "models/accel/tables.h"
#include "models/accel/timing/dma_plan.h"
#include "models/accel/timing/vector.h"

namespace archsim {

/// The element type that sets the array's rate: a's, to which the decoder turns w; the wider one where w is wider.
Dtype rate_dtype(const Matmul& matmul);

class AcceleratorShape {
 public:
  explicit AcceleratorShape(const SystolicParams& params);

  bool has(Dtype dtype) const { return macs_per_pe_[static_cast<std::size_t>(dtype)] > 0.0; }
  bool has(Dataflow dataflow) const { return dataflows_[static_cast<std::size_t>(dataflow)]; }
  bool has(VectorFunction function) const {
    return lanes_ > 0 && lane_cycles_[static_cast<std::size_t>(function)] > 0.0;
  }
  bool requantizes() const { return requantizes_; }
  bool decodes_weights() const { return decodes_weights_; }
  std::uint64_t scratchpad() const { return scratchpad_; }
  std::uint64_t accumulator() const { return accumulator_; }
  /// Bytes that the scratchpad moves a cycle.
  std::uint64_t scratchpad_width() const { return scratchpad_width_; }
  const DmaGeometry& dma() const { return dma_; }

  FoldTiming folds(const Matmul& matmul) const;
  Cycles vector_cycles(const Vector& command) const;
  double lane_cycles(VectorFunction function) const { return lane_cycles_[static_cast<std::size_t>(function)]; }
  /// The same of this command: a destination whose blocks have scales takes a pass more.
  double lane_cycles(const Vector& command) const;
  /// MACs a cycle of a processing element, those that sparsity saves among them.
  double rate(const Matmul& matmul) const;
  /// MACs a cycle of the whole array.
  double peak_macs(const Matmul& matmul) const;
  /// Elements that the array writes to the accumulator SRAM, and those that it reads there first.
  struct Results {
    std::uint64_t written = 0, read = 0;
  };
  Results results(const Matmul& matmul) const;

 private:
  std::array<double, kDtypes> macs_per_pe_{};
  std::array<bool, kDataflows> dataflows_{};
  std::array<double, kVectorFunctions> lane_cycles_{};
  std::uint64_t rows_, columns_, lanes_, vector_startup_;
  std::uint64_t scratchpad_, accumulator_, scratchpad_width_, accumulator_width_;
  bool requantizes_, decodes_weights_;
  double two_of_four_ = 1.0;
  DmaGeometry dma_;
};

}  // namespace archsim
