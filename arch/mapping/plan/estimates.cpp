#include "arch/mapping/plan/estimates.h"

#include <algorithm>

namespace archsim {
namespace {

double as_double(std::uint64_t value) { return static_cast<double>(value); }

double guess(const AcceleratorCapabilities& npu, const Dma& dma) {
  constexpr double kSetup = 32.0;
  return kSetup +
         as_double(std::uint64_t{dma.row_bytes} * dma.rows * dma.planes) / per_cycle(npu.memory_port, npu.clock);
}

// A fold streams its rows while the next one's weights are loaded; fill and drain once a command.
double guess(const AcceleratorCapabilities& npu, const Matmul& matmul) {
  return as_double(ceil_div(matmul.k, npu.rows) * ceil_div(matmul.n, npu.columns) *
                       std::max<std::uint64_t>(matmul.m, npu.rows) +
                   npu.rows + npu.columns);
}

double guess(const AcceleratorCapabilities& npu, const Vector& vector) {
  const auto found = npu.vector_cycles_per_element.find(vector.function);
  const double each = found == npu.vector_cycles_per_element.end() ? 1.0 : found->second;
  return as_double(std::uint64_t{vector.rows} * vector.columns) * each / std::max(1U, npu.vector_lanes);
}

}  // namespace

double per_cycle(Bandwidth bandwidth, Frequency clock) { return bandwidth.value / static_cast<double>(clock.value); }

double command_cycles(const AcceleratorCapabilities& npu, const Command& command) {
  if (npu.estimate) return as_double(npu.estimate(command).value);
  if (const auto* dma = std::get_if<Dma>(&command.payload)) return guess(npu, *dma);
  if (const auto* matmul = std::get_if<Matmul>(&command.payload)) return guess(npu, *matmul);
  if (const auto* vector = std::get_if<Vector>(&command.payload)) return guess(npu, *vector);
  return 0.0;
}

}  // namespace archsim
