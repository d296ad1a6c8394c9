#include "arch/workload/rules/operand_check.h"
#include "arch/workload/rules/operand_rules.h"
#include "arch/workload/views/rules.h"

namespace archsim {
namespace {

constexpr auto kNumbers = {Dtype::int8, Dtype::bf16, Dtype::fp16, Dtype::fp32, Dtype::int32, Dtype::uint8};

// The operand is like the first one, or one row of it.
void check_like(OperandCheck& check, std::size_t i, const Shape& shape) {
  check.input_dtype_is(i, kNumbers);
  const auto& b = check.input(i);
  const bool is_row = OperandCheck::rows(b) == 1 && OperandCheck::columns(b) == shape.back();
  if (!is_row) check.input_is(i, shape);
}

void check_function(OperandCheck& check) {
  check.output_dtype_is(kNumbers);
  check.input_dtype_is(0, kNumbers);
  check.output_has_shape_of_input(0);
  for (std::size_t i = 1; i < check.inputs(); ++i) check_like(check, i, check.input(0).shape);
}

// All three may be one row.
void check_where(OperandCheck& check) {
  check.output_dtype_is(kNumbers);
  for (std::size_t i = 0; i < check.inputs(); ++i) check_like(check, i, check.output().shape);
}

AttributeRule number(std::string_view name, std::string_view meaning, bool required) {
  return {.name = name, .kind = AttributeKind::number, .required = required, .meaning = meaning};
}

AttributeRule choice(std::string_view name, std::string_view meaning, std::vector<std::string_view> choices) {
  return {
      .name = name, .kind = AttributeKind::text, .required = true, .meaning = meaning, .choices = std::move(choices)};
}

OperatorRule one(OperatorType type, std::vector<AttributeRule> attributes = {}) {
  return {.type = type,
          .signature = "one input and one output",
          .attributes = std::move(attributes),
          .in_place = true,
          .check = check_function};
}

OperatorRule two(OperatorType type, std::vector<AttributeRule> attributes = {}) {
  return {.type = type,
          .signature = "inputs a and b, and one output",
          .inputs = {2, 2},
          .attributes = std::move(attributes),
          .in_place = true,
          .check = check_function};
}

}  // namespace

std::vector<OperatorRule> function_rules() {
  std::vector<OperatorRule> rules;
  for (const auto type :
       {OperatorType::exp, OperatorType::log, OperatorType::sqrt, OperatorType::reciprocal, OperatorType::erf,
        OperatorType::sin, OperatorType::cos, OperatorType::abs, OperatorType::softplus, OperatorType::hard_swish}) {
    rules.push_back(one(type));
  }
  rules.push_back(one(OperatorType::elu, {number("alpha", "of e^x - 1 below 0", true)}));
  rules.push_back(one(OperatorType::leaky_relu, {number("alpha", "slope below 0", true)}));
  rules.push_back(one(OperatorType::hard_sigmoid, {number("alpha", "slope", true), number("beta", "at 0", true)}));
  rules.push_back(one(OperatorType::round, {choice("mode", "which whole number", {"even", "floor", "ceil"})}));
  rules.push_back(
      one(OperatorType::clip, {number("low", "smallest result", false), number("high", "largest result", false)}));
  for (const auto type : {OperatorType::div, OperatorType::pow, OperatorType::maximum, OperatorType::minimum}) {
    rules.push_back(two(type));
  }
  rules.push_back(two(OperatorType::compare,
                      {choice("relation", "of a to b", {"equal", "less", "less_or_equal", "and", "or", "xor"})}));
  rules.push_back({.type = OperatorType::where,
                   .signature = "inputs condition, a and b, and one output",
                   .inputs = {3, 3},
                   .in_place = true,
                   .check = check_where});
  return rules;
}

}  // namespace archsim
