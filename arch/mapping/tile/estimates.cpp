#include "arch/mapping/tile/estimates.h"

#include <algorithm>
#include <tuple>

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

double TransferEstimate::latency(MemoryLevel level) const {
  return as_double(memory(level).latency.value) * static_cast<double>(npu_.clock.value) /
         static_cast<double>(kPicosecondsPerSecond);
}

double TransferEstimate::cycles(MemoryLevel level, std::uint64_t rows, std::uint64_t row_bytes, std::uint64_t pitch) {
  const bool is_dense = rows == 1 || pitch == row_bytes;
  const auto [it, is_new] = known_.try_emplace({level, rows, row_bytes, is_dense});
  if (!is_new) return it->second;
  const Dma dma{.row_bytes = static_cast<std::uint32_t>(row_bytes),
                .rows = static_cast<std::uint32_t>(rows),
                .memory_row_pitch = static_cast<std::int64_t>(pitch),
                .local_row_pitch = static_cast<std::uint32_t>(row_bytes)};
  const std::uint64_t burst = std::max<std::uint64_t>(npu_.dma_burst.value, 1), bytes = rows * row_bytes;
  const std::uint64_t bursts = is_dense ? ceil_div(bytes, burst) : rows * ceil_div(row_bytes, burst);
  return it->second = std::max({command_cycles(npu_, {.payload = dma}),
                                as_double(bursts) * latency(level) / std::max(1U, npu_.dma_outstanding),
                                as_double(bytes) / delivered(level)});
}

std::vector<Dataflow> dataflows_of(const AcceleratorCapabilities& accelerator) {
  if (accelerator.dataflows.empty()) return {Dataflow::weight_stationary};
  return {accelerator.dataflows.begin(), accelerator.dataflows.end()};  // in the order of the enumeration
}

ArrayEstimate array_estimate(const AcceleratorCapabilities& npu, const ProductSize& size, Dataflow dataflow) {
  const auto bytes = [](std::uint64_t elements, const Packing& packing) {
    return static_cast<std::uint32_t>(packing.bytes(elements));
  };
  const Matmul matmul{.m = static_cast<std::uint32_t>(size.m),
                      .k = static_cast<std::uint32_t>(size.k),
                      .n = static_cast<std::uint32_t>(size.n),
                      .a_pitch = bytes(size.k, packing_of(size.a)),
                      .w_pitch = bytes(size.n, packing_of(size.w, size.w_grouping)),
                      .out_pitch = static_cast<std::uint32_t>(size.n * 4),
                      .a_dtype = size.a,
                      .w_dtype = size.w,
                      .dataflow = dataflow,
                      .w_grouping = size.w_grouping};
  const double preload = dataflow == Dataflow::output_stationary ? 0.0 : npu.rows;
  return {.dataflow = dataflow,
          .cycles = command_cycles(npu, {.payload = matmul}),
          .edges = preload + npu.rows + npu.columns};
}

ArrayEstimate best_array_estimate(const AcceleratorCapabilities& npu, const ProductSize& size) {
  std::vector<ArrayEstimate> all;
  for (const Dataflow dataflow : dataflows_of(npu)) all.push_back(array_estimate(npu, size, dataflow));
  return *std::min_element(all.begin(), all.end(), [](const ArrayEstimate& a, const ArrayEstimate& b) {
    return std::tuple{a.cycles, a.edges} < std::tuple{b.cycles, b.edges};
  });
}

}  // namespace archsim
