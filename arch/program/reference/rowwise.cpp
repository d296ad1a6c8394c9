// Operators that the vector unit's functions cover: rows and elements.
#include "arch/describe/diagnostic.h"
#include "arch/program/numbers/rows.h"
#include "arch/program/reference/operators.h"

namespace archsim {
namespace {

float number(const Operator& op, std::string_view attribute, double otherwise) {
  return static_cast<float>(op.number(attribute, otherwise));
}

void evaluate_row(const Operator& op, const Inputs& in, std::uint64_t r, std::vector<float>& y) {
  const auto x = in[0]->row(r);
  switch (op.type) {
    case OperatorType::softmax:
      return softmax_row(x, 1.0F, x.size(), y);
    case OperatorType::layernorm:
      return layernorm_row(x, in[1]->row(0), in[2]->row(0), {.epsilon = number(op, "epsilon", 0.0)}, y);
    case OperatorType::rmsnorm: {
      const NormParameters parameters{.epsilon = number(op, "epsilon", 0.0), .offset = number(op, "offset", 0.0)};
      return rmsnorm_row(x, in[1]->row(0), parameters, y);
    }
    case OperatorType::rope: {
      const auto position = static_cast<std::uint64_t>(op.integer("position", 0)) + r;
      const RopeParameters parameters{.head_dim = static_cast<std::uint32_t>(op.integer("head_dim", 0)),
                                      .theta = number(op, "theta", 10000.0),
                                      .position = static_cast<std::uint32_t>(position)};
      return rope_row(x, parameters, y);
    }
    default:
      break;
  }
  ARCHSIM_ASSERT(false, op.name);
}

VectorFunction function_of(const Operator& op) {
  switch (op.type) {
    case OperatorType::add:
      return VectorFunction::add;
    case OperatorType::sub:
      return VectorFunction::sub;
    case OperatorType::mul:
      return VectorFunction::mul;
    case OperatorType::scale:
      return VectorFunction::scale;
    case OperatorType::axpy:
      return VectorFunction::axpy;
    case OperatorType::cast:
      return VectorFunction::copy;
    case OperatorType::glu:
      return activation_function(op.text("activation", "gelu"), op.flag("approximate", false));
    default:
      return activation_function(name_of(op.type), op.flag("approximate", false));
  }
}

}  // namespace

VectorFunction activation_function(std::string_view name, bool approximate) {
  if (name == "gelu") return approximate ? VectorFunction::gelu_tanh : VectorFunction::gelu_erf;
  if (name == "silu") return VectorFunction::silu;
  if (name == "relu") return VectorFunction::relu;
  if (name == "tanh") return VectorFunction::tanh;
  ARCHSIM_ASSERT(name == "sigmoid", name);
  return VectorFunction::sigmoid;
}

void evaluate_rows(const Operator& op, const Inputs& in, Outputs& out) {
  std::vector<float> y(out[0].columns());
  for (std::uint64_t r = 0; r < out[0].rows(); ++r) {
    if (op.type == OperatorType::sincos) {
      const SincosParameters periods{.period_min = number(op, "period_min", 1.0),
                                     .period_max = number(op, "period_max", 1.0)};
      sincos_row(in[0]->value(r), periods, y);
    } else {
      evaluate_row(op, in, r, y);
    }
    out[0].set_row(r, y);
  }
}

void evaluate_elementwise(const Operator& op, const Inputs& in, Outputs& out) {
  const auto function = function_of(op);
  const float factor = number(op, "factor", 1.0);
  for (std::uint64_t i = 0; i < out[0].elements(); ++i) {
    const float a = in[0]->value(i);
    // Source 1 may be one row for all rows.
    const float b = in.size() > 1 ? in[1]->value(i % in[1]->elements()) : 0.0F;
    if (op.type == OperatorType::glu) {
      out[0].set(i, elementwise(function, a, 0.0F, 1.0F) * b);
    } else {
      out[0].set(i, elementwise(function, a, b, factor));
    }
  }
}

}  // namespace archsim
