#include "models/accel/cosim/matmul_trace.h"

#include <cmath>

namespace archsim {

Trace matmul_trace(std::uint32_t m, std::uint32_t n, std::uint32_t k) {
  Trace trace;
  trace.model = "matmul";
  const auto tensor = [](const char* name, Role role, std::vector<std::uint64_t> shape, double scale) {
    return Tensor{.name = name, .role = role, .shape = std::move(shape), .dtype = Dtype::int8, .scale = scale};
  };
  // Random int8 values have a mean square of (2^16 - 1) / 12; a product of k of them is then about a third of int8's range.
  const double mean_square = 65535.0 / 12.0;
  const double y_scale = 3.0 * mean_square * std::sqrt(static_cast<double>(k)) / 127.0;
  trace.tensors = {tensor("x", Role::input, {m, k}, 1.0), tensor("weight", Role::weight, {k, n}, 1.0),
                   tensor("y", Role::output, {m, n}, y_scale)};
  trace.loops = {{.name = "matmul", .count = 1}};
  Operator op;
  op.name = "matmul";
  op.type = OperatorType::linear;
  op.inputs = {{.tensor = 0, .copy = {}}, {.tensor = 1, .copy = {}}};
  op.outputs = {{.tensor = 2, .copy = {}}};
  trace.operators = {op};
  trace.stages = {{.name = "matmul", .repeat = {.loop = 0, .body = {std::uint32_t{0}}}}};
  return trace;
}

}  // namespace archsim
