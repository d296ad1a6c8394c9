#include "models/accel/timing/shape.h"

#include <algorithm>
#include <cmath>

namespace archsim {
namespace {
constexpr std::uint64_t kAccumulatorElementBytes = 4;
}

Dtype rate_dtype(const Matmul& matmul) {
  return bits(matmul.a_dtype) >= bits(matmul.w_dtype) ? matmul.a_dtype : matmul.w_dtype;
}

AcceleratorShape::AcceleratorShape(const SystolicParams& params)
    : rows_(params.rows),
      columns_(params.cols),
      lanes_(params.vector_lanes),
      vector_startup_(params.vector_startup.value),
      scratchpad_(params.scratchpad.capacity.value),
      accumulator_(params.accumulator.value),
      scratchpad_width_(params.scratchpad.banks * params.scratchpad.port_width.value),
      // One element a column and one a lane, whichever is more: the SRAM is built for the wider of its two users.
      accumulator_width_(std::max<std::uint64_t>(columns_, lanes_) * kAccumulatorElementBytes),
      requantizes_(params.requantizing_store),
      decodes_weights_(params.weight_decoder),
      dma_{.burst_bytes = params.dma.burst.value,
           .port_bytes = params.scratchpad.port_width.value,
           .setup = params.dma.setup.value,
           .largest_piece = kLargestPiece} {
  for (const auto& [dtype, rate] : params.dtypes) macs_per_pe_[static_cast<std::size_t>(dtype)] = rate;
  if (const auto found = params.sparsity.find(Sparsity::two_of_four); found != params.sparsity.end()) {
    two_of_four_ = found->second;
  }
  for (const Dataflow dataflow : params.dataflows) dataflows_[static_cast<std::size_t>(dataflow)] = true;
  for (std::size_t i = 0; i < kVectorFunctions; ++i) {
    lane_cycles_[i] = params.vector_cycles.of(static_cast<VectorFunction>(i));
  }
}

FoldTiming AcceleratorShape::folds(const Matmul& matmul) const {
  const ArrayGeometry array{
      .rows = rows_, .columns = columns_, .macs_per_pe = rate(matmul), .port_bytes = scratchpad_width_};
  return fold_timing(array, ArrayWork::of(matmul));
}

Cycles AcceleratorShape::vector_cycles(const Vector& command) const {
  const VectorGeometry unit{.lanes = lanes_,
                            .startup = vector_startup_,
                            .cycles_per_element = lane_cycles(command),
                            .cycles_per_rescale = lane_cycles(VectorFunction::scale),
                            .scratchpad_bytes = scratchpad_width_,
                            .accumulator_bytes = accumulator_width_};
  return archsim::vector_cycles(unit, command);
}

double AcceleratorShape::lane_cycles(const Vector& command) const {
  // The scale of a block is known when all of it was looked at.
  const double passes = packing_of(command.destination.dtype).scale_bits > 0 ? 2.0 : 1.0;
  return passes * lane_cycles(command.function);
}

double AcceleratorShape::rate(const Matmul& matmul) const {
  const bool skips = matmul.w_grouping.is_two_of_four && matmul.is_w_native();
  return macs_per_pe_[static_cast<std::size_t>(rate_dtype(matmul))] * (skips ? two_of_four_ : 1.0);
}

double AcceleratorShape::peak_macs(const Matmul& matmul) const {
  return static_cast<double>(rows_ * columns_) * rate(matmul);
}

AcceleratorShape::Results AcceleratorShape::results(const Matmul& matmul) const {
  const std::uint64_t elements = static_cast<std::uint64_t>(matmul.m) * matmul.n;
  const auto rows_of_k =
      static_cast<std::uint64_t>(std::floor(static_cast<double>(rows_) * std::max(rate(matmul), 1.0)));
  const std::uint64_t passes =
      matmul.dataflow == Dataflow::output_stationary ? 1 : ceil_div(static_cast<std::uint64_t>(matmul.k), rows_of_k);
  return {.written = elements * passes, .read = elements * (matmul.accumulate ? passes : passes - 1)};
}

double VectorCycles::of(VectorFunction function) const {
  switch (function) {
#define ARCHSIM_CASE(name)   \
  case VectorFunction::name: \
    return name
    ARCHSIM_CASE(copy);
    ARCHSIM_CASE(add);
    ARCHSIM_CASE(sub);
    ARCHSIM_CASE(mul);
    ARCHSIM_CASE(scale);
    ARCHSIM_CASE(axpy);
    ARCHSIM_CASE(gelu_tanh);
    ARCHSIM_CASE(gelu_erf);
    ARCHSIM_CASE(silu);
    ARCHSIM_CASE(relu);
    ARCHSIM_CASE(tanh);
    ARCHSIM_CASE(sigmoid);
    ARCHSIM_CASE(glu_gelu_tanh);
    ARCHSIM_CASE(glu_gelu_erf);
    ARCHSIM_CASE(glu_silu);
    ARCHSIM_CASE(glu_relu);
    ARCHSIM_CASE(glu_sigmoid);
    ARCHSIM_CASE(layernorm);
    ARCHSIM_CASE(rmsnorm);
    ARCHSIM_CASE(rope);
    ARCHSIM_CASE(softmax);
    ARCHSIM_CASE(softmax_step);
    ARCHSIM_CASE(softmax_finish);
    ARCHSIM_CASE(sincos);
#undef ARCHSIM_CASE
  }
  return 0.0;
}

}  // namespace archsim
