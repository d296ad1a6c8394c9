// Elementwise functions that only the host does.
#include <algorithm>
#include <cmath>

#include "arch/describe/diagnostic.h"
#include "arch/program/reference/operators.h"

namespace archsim {
namespace {

float number(const Operator& op, std::string_view attribute, double otherwise) {
  return static_cast<float>(op.number(attribute, otherwise));
}

float clipped(float x, float low, float high) { return std::min(std::max(x, low), high); }

float rounded(const Operator& op, float x) {
  const auto mode = op.text("mode", "even");
  if (mode == "floor") return std::floor(x);
  if (mode == "ceil") return std::ceil(x);
  return std::nearbyint(x);
}

float function_of_one(const Operator& op, float x) {
  switch (op.type) {
    case OperatorType::exp:
      return std::exp(x);
    case OperatorType::log:
      return std::log(x);
    case OperatorType::sqrt:
      return std::sqrt(x);
    case OperatorType::reciprocal:
      return 1.0F / x;
    case OperatorType::erf:
      return std::erf(x);
    case OperatorType::sin:
      return std::sin(x);
    case OperatorType::cos:
      return std::cos(x);
    case OperatorType::abs:
      return std::abs(x);
    case OperatorType::elu:
      return x < 0.0F ? number(op, "alpha", 1.0) * std::expm1(x) : x;
    case OperatorType::softplus:
      return std::log1p(std::exp(x));
    case OperatorType::hard_swish:
      return x * clipped(x + 3.0F, 0.0F, 6.0F) / 6.0F;
    case OperatorType::leaky_relu:
      return x < 0.0F ? number(op, "alpha", 0.01) * x : x;
    case OperatorType::hard_sigmoid:
      return clipped(number(op, "alpha", 0.2) * x + number(op, "beta", 0.5), 0.0F, 1.0F);
    case OperatorType::round:
      return rounded(op, x);
    case OperatorType::clip:
      return clipped(x, number(op, "low", -INFINITY), number(op, "high", INFINITY));
    default:
      break;
  }
  ARCHSIM_ASSERT(false, op.name);
  return 0.0F;
}

bool holds(std::string_view relation, float a, float b) {
  if (relation == "equal") return a == b;
  if (relation == "less") return a < b;
  if (relation == "less_or_equal") return a <= b;
  const bool left = a != 0.0F, right = b != 0.0F;
  if (relation == "and") return left && right;
  if (relation == "or") return left || right;
  return left != right;
}

float function_of_two(const Operator& op, float a, float b) {
  switch (op.type) {
    case OperatorType::div:
      return a / b;
    case OperatorType::pow:
      return std::pow(a, b);
    case OperatorType::maximum:
      return std::max(a, b);
    case OperatorType::minimum:
      return std::min(a, b);
    case OperatorType::compare:
      return holds(op.text("relation", "equal"), a, b) ? 1.0F : 0.0F;
    default:
      break;
  }
  ARCHSIM_ASSERT(false, op.name);
  return 0.0F;
}

}  // namespace

void evaluate_functions(const Operator& op, const Inputs& in, Outputs& out) {
  // An operand may be one row for all rows.
  const auto operand = [&](std::size_t which, std::uint64_t i) { return in[which]->value(i % in[which]->elements()); };
  for (std::uint64_t i = 0; i < out[0].elements(); ++i) {
    float y = 0.0F;
    if (op.type == OperatorType::where) {
      y = operand(0, i) != 0.0F ? operand(1, i) : operand(2, i);
    } else {
      y = in.size() > 1 ? function_of_two(op, operand(0, i), operand(1, i)) : function_of_one(op, operand(0, i));
    }
    out[0].set(i, y);
  }
}

}  // namespace archsim
