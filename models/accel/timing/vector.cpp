#include "models/accel/timing/vector.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace archsim {
namespace {

unsigned reductions(VectorFunction function) {
  switch (function) {
    case VectorFunction::layernorm:  // sum, sum of squares
    case VectorFunction::softmax:    // maximum, sum
    case VectorFunction::softmax_step:
      return 2;
    case VectorFunction::rmsnorm:
      return 1;
    default:
      return 0;
  }
}

bool has_two_sources(VectorFunction function) {
  switch (function) {
    case VectorFunction::add:
    case VectorFunction::sub:
    case VectorFunction::mul:
    case VectorFunction::axpy:
    case VectorFunction::glu_gelu_tanh:
    case VectorFunction::glu_gelu_erf:
    case VectorFunction::glu_silu:
    case VectorFunction::glu_relu:
    case VectorFunction::glu_sigmoid:
    case VectorFunction::rmsnorm:
      return true;
    default:
      return false;
  }
}

constexpr std::uint64_t kStateColumns = 2;  // maximum and sum of each row

void count(const VectorOperand& operand, std::uint64_t bytes, std::uint64_t& scratchpad, std::uint64_t& accumulator) {
  (operand.address.in_accumulator() ? accumulator : scratchpad) += bytes;
}

std::uint64_t beats(std::uint64_t elements, std::uint64_t lanes) { return ceil_div(elements, lanes); }

}  // namespace

VectorShape shape_of(const Vector& command) {
  const std::uint64_t columns = command.columns;
  switch (command.function) {
    case VectorFunction::layernorm:
      return {{columns, columns, columns}, false};
    case VectorFunction::softmax_step:
      return {{columns, kStateColumns, command.integer0}, true};
    case VectorFunction::softmax_finish:
      return {{columns, kStateColumns, 0}, false};
    case VectorFunction::sincos:
      return {{1, 0, 0}, false};
    default:
      return {{columns, has_two_sources(command.function) ? columns : 0, 0}, false};
  }
}

VectorTraffic traffic_of(const Vector& command) {
  VectorTraffic traffic;
  const VectorShape shape = shape_of(command);
  for (std::size_t i = 0; i < shape.source_columns.size(); ++i) {
    const VectorOperand& operand = command.source[i];
    const std::uint64_t rows = operand.pitch == 0 ? 1 : command.rows;
    const std::uint64_t bytes = rows * packing_of(operand.dtype).bytes(shape.source_columns[i]);
    count(operand, bytes, traffic.scratchpad_read, traffic.accumulator_read);
    if (shape.writes_state && i > 0) count(operand, bytes, traffic.scratchpad_written, traffic.accumulator_written);
  }
  const std::uint64_t written =
      static_cast<std::uint64_t>(command.rows) * packing_of(command.destination.dtype).bytes(command.columns);
  count(command.destination, written, traffic.scratchpad_written, traffic.accumulator_written);
  return traffic;
}

std::uint64_t lane_elements(const Vector& command) {
  const std::uint64_t rescaled = command.function == VectorFunction::softmax_step ? command.integer0 : 0;
  return command.rows * (command.columns + rescaled);
}

Cycles vector_cycles(const VectorGeometry& unit, const Vector& command) {
  const std::uint64_t rows = command.rows;
  double work = static_cast<double>(rows * beats(command.columns, unit.lanes)) * unit.cycles_per_element;
  if (command.function == VectorFunction::softmax_step) {
    work += static_cast<double>(rows * beats(command.integer0, unit.lanes)) * unit.cycles_per_rescale;
  }
  const VectorTraffic traffic = traffic_of(command);
  const std::uint64_t scratchpad =
      ceil_div(traffic.scratchpad_read + traffic.scratchpad_written, unit.scratchpad_bytes);
  const std::uint64_t accumulator = std::max(ceil_div(traffic.accumulator_read, unit.accumulator_bytes),
                                             ceil_div(traffic.accumulator_written, unit.accumulator_bytes));
  const std::uint64_t width = std::min<std::uint64_t>(unit.lanes, command.columns);
  const std::uint64_t tree = reductions(command.function) * static_cast<std::uint64_t>(std::bit_width(width - 1));
  const auto lanes = static_cast<std::uint64_t>(std::ceil(work - 1e-9));
  return Cycles(unit.startup + tree + std::max({lanes, scratchpad, accumulator}));
}

}  // namespace archsim
