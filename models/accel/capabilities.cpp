#include "models/accel/systolic.h"
#include "models/accel/timing/shape.h"

namespace archsim {
namespace {

Cycles estimate(const AcceleratorShape& shape, Overlap overlap, const Command& command) {
  if (const auto* matmul = std::get_if<Matmul>(&command.payload)) return shape.folds(*matmul).occupancy(overlap);
  if (const auto* vector = std::get_if<Vector>(&command.payload)) return shape.vector_cycles(*vector);
  if (const auto* dma = std::get_if<Dma>(&command.payload)) return dma_occupancy(shape.dma(), *dma);
  return Cycles::zero();
}

}  // namespace

AcceleratorCapabilities Systolic::accelerator(const Params& params, Frequency clock) {
  const AcceleratorShape shape(params);
  AcceleratorCapabilities can;
  can.clock = clock;
  can.rows = params.rows;
  can.columns = params.cols;
  can.macs_per_pe = params.dtypes;
  can.sparsity = params.sparsity;
  can.decodes_weights = params.weight_decoder;
  can.dataflows = {params.dataflows.begin(), params.dataflows.end()};
  can.scratchpad = params.scratchpad.capacity;
  can.accumulator = params.accumulator;
  can.vector_lanes = params.vector_lanes;
  for (std::size_t i = 0; i < kVectorFunctions; ++i) {
    const auto function = static_cast<VectorFunction>(i);
    if (shape.has(function)) can.vector_cycles_per_element[function] = shape.lane_cycles(function);
  }
  can.requantizing_store = params.requantizing_store;
  can.dma_burst = params.dma.burst;
  can.dma_outstanding = params.dma.outstanding;
  can.memory_port =
      Bandwidth(static_cast<double>(params.scratchpad.port_width.value) * static_cast<double>(clock.value));
  can.estimate = [shape, overlap = params.overlap](const Command& command) {
    return estimate(shape, overlap, command);
  };
  return can;
}

}  // namespace archsim
