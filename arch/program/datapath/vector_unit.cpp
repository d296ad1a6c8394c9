#include <algorithm>
#include <limits>

#include "arch/describe/diagnostic.h"
#include "arch/program/accesses.h"
#include "arch/program/datapath/units.h"
#include "arch/program/numbers/element.h"
#include "arch/program/numbers/rows.h"

namespace archsim {
namespace {

using Row = std::vector<float>;

Row read_row(const VectorOperand& operand, std::uint32_t r, std::uint32_t columns, LocalMemories& local) {
  const auto size = bytes_of(operand.dtype);
  const auto bytes = local.at({operand.address.value + r * operand.pitch}, columns * size);
  Row row(columns);
  for (std::uint32_t c = 0; c < columns; ++c) row[c] = read_element(&bytes[c * size], operand.dtype) * operand.scale;
  return row;
}

void write_row(const Row& row, const VectorOperand& operand, std::uint32_t r, LocalMemories& local) {
  const auto size = bytes_of(operand.dtype);
  const auto bytes = local.at({operand.address.value + r * operand.pitch}, row.size() * size);
  for (std::size_t c = 0; c < row.size(); ++c) write_element(&bytes[c * size], operand.dtype, row[c], operand.scale);
}

std::size_t visible_columns(const Vector& vector, std::uint32_t r) {
  const std::int64_t visible = vector.visible + std::int64_t{r} * vector.visible_step;
  return static_cast<std::size_t>(std::clamp<std::int64_t>(visible, 0, vector.columns));
}

void softmax_step(const Vector& vector, std::uint32_t r, std::array<Row, 3>& source, Row& y, LocalMemories& local) {
  const bool first = vector.integer1 == 1;
  auto& saved = source[1];
  auto& output = source[2];
  SoftmaxState state{-std::numeric_limits<float>::infinity(), 0.0F};
  if (!first) state = {saved[0], saved[1]};
  const float rescale = softmax_step_row(source[0], vector.parameter0, visible_columns(vector, r), state, y);
  for (float& value : output) value = first ? 0.0F : value * rescale;
  saved = {state.maximum, state.sum};
  write_row(saved, vector.source[1], r, local);
  write_row(output, vector.source[2], r, local);
}

void run_row(const Vector& vector, std::uint32_t r, std::array<Row, 3>& source, Row& y, LocalMemories& local) {
  const auto& x = source[0];
  switch (vector.function) {
    case VectorFunction::layernorm:
      return layernorm_row(x, source[1], source[2], {.epsilon = vector.parameter0}, y);
    case VectorFunction::rmsnorm:
      return rmsnorm_row(x, source[1], {.epsilon = vector.parameter0, .offset = vector.parameter1}, y);
    case VectorFunction::rope:
      return rope_row(x, {.head_dim = vector.integer0, .theta = vector.parameter0, .position = vector.integer1 + r}, y);
    case VectorFunction::softmax:
      return softmax_row(x, vector.parameter0, visible_columns(vector, r), y);
    case VectorFunction::softmax_step:
      return softmax_step(vector, r, source, y, local);
    case VectorFunction::softmax_finish:
      for (std::size_t c = 0; c < y.size(); ++c) y[c] = x[c] / source[1][1];
      return;
    case VectorFunction::sincos:
      return sincos_row(x[0], {.period_min = vector.parameter0, .period_max = vector.parameter1}, y);
    default:
      for (std::size_t c = 0; c < y.size(); ++c) {
        const float b = source[1].empty() ? 0.0F : source[1][c];
        y[c] = elementwise(vector.function, x[c], b, vector.parameter0);
      }
  }
}

}  // namespace

void execute_vector(const Vector& vector, LocalMemories& local) {
  Row y(vector.columns);
  for (std::uint32_t r = 0; r < vector.rows; ++r) {
    std::array<Row, 3> source;
    for (std::size_t s = 0; s < source.size(); ++s) {
      source[s] = read_row(vector.source[s], r, source_columns(vector, s), local);
    }
    run_row(vector, r, source, y, local);
    write_row(y, vector.destination, r, local);
  }
}

}  // namespace archsim
