#include "arch/workload/rules/operator_rule.h"

#include <limits>

#include "arch/workload/rules/operand_rules.h"
#include "arch/workload/views/rules.h"

namespace archsim {
namespace {

constexpr std::size_t kMany = std::numeric_limits<std::size_t>::max();

AttributeRule integer(std::string_view name, std::string_view meaning, bool required, std::int64_t low = 1) {
  return {.name = name, .kind = AttributeKind::integer, .required = required, .meaning = meaning, .low = low};
}

AttributeRule number(std::string_view name, std::string_view meaning, bool required) {
  return {.name = name, .kind = AttributeKind::number, .required = required, .meaning = meaning};
}

AttributeRule flag(std::string_view name, std::string_view meaning) {
  return {.name = name, .kind = AttributeKind::flag, .meaning = meaning};
}

AttributeRule choice(std::string_view name, std::string_view meaning, bool required,
                     std::vector<std::string_view> choices) {
  return {.name = name,
          .kind = AttributeKind::text,
          .required = required,
          .meaning = meaning,
          .choices = std::move(choices)};
}

OperatorRule unary(OperatorType type, std::vector<AttributeRule> attributes = {}) {
  return {.type = type,
          .signature = "one input and one output",
          .attributes = std::move(attributes),
          .in_place = true,
          .check = check_elementwise};
}

OperatorRule binary(OperatorType type, std::vector<AttributeRule> attributes = {}) {
  return {.type = type,
          .signature = "inputs a and b, and one output",
          .inputs = {2, 2},
          .attributes = std::move(attributes),
          .in_place = true,
          .check = check_elementwise};
}

std::vector<OperatorRule> matrix_rules() {
  return {
      {.type = OperatorType::linear,
       .signature = "inputs x, weight and perhaps bias, and at least one output",
       .inputs = {2, 3},
       .outputs = {1, kMany},
       .check = check_linear},
      {.type = OperatorType::matmul,
       .signature = "inputs a and b, and one output",
       .inputs = {2, 2},
       .attributes = {flag("transpose_b", "b is [.., N, K]")},
       .check = check_matmul},
      {.type = OperatorType::attention,
       .signature = "inputs q and then k and v of each segment, and one output",
       .inputs = {3, kMany},
       .attributes = {integer("heads", "query heads", true),
                      integer("kv_heads", "key and value heads", true),
                      integer("head_dim", "elements of a head", true),
                      number("scale", "factor of the scores; 1 / sqrt(head_dim) if absent", false),
                      choice("mask", "which keys a query sees", false, {"none", "causal", "blocks"}),
                      {.name = "blocks",
                       .kind = AttributeKind::integers,
                       .meaning =
                           "with mask blocks: sizes of the query's blocks; each sees all keys up to its own end"},
                      integer("batch", "independent sequences, stacked as rows", false)},
       .check = check_attention},
  };
}

std::vector<OperatorRule> row_rules() {
  return {
      {.type = OperatorType::softmax,
       .signature = "one input and one output",
       .in_place = true,
       .check = check_elementwise},
      {.type = OperatorType::layernorm,
       .signature = "inputs x, gamma and beta, and one output",
       .inputs = {3, 3},
       .attributes = {number("epsilon", "added to the variance", true)},
       .in_place = true,
       .check = check_norm},
      {.type = OperatorType::rmsnorm,
       .signature = "inputs x and gamma, and one output",
       .inputs = {2, 2},
       .attributes = {number("epsilon", "added to the mean square", true),
                      number("offset", "added to gamma; 0 if absent", false)},
       .in_place = true,
       .check = check_norm},
      {.type = OperatorType::groupnorm,
       .signature = "inputs x, gamma and beta, and one output",
       .inputs = {3, 3},
       .attributes = {integer("groups", "groups of columns", true), number("epsilon", "added to the variance", true),
                      integer("batch", "independent sequences, stacked as rows", false)},
       .check = check_groupnorm},
      {.type = OperatorType::rope,
       .signature = "one input and one output",
       .attributes = {integer("heads", "heads in a row", true), integer("head_dim", "elements of a head", true),
                      number("theta", "base of the wavelengths", true),
                      integer("position", "of row 0; 0 if absent", false, 0)},
       .in_place = true,
       .check = check_rope},
  };
}

std::vector<OperatorRule> elementwise_rules() {
  const std::vector<std::string_view> activations = {"gelu", "silu", "relu", "tanh", "sigmoid"};
  return {
      unary(OperatorType::gelu, {flag("approximate", "the tanh form")}),
      unary(OperatorType::silu),
      unary(OperatorType::mish),
      unary(OperatorType::relu),
      unary(OperatorType::tanh),
      unary(OperatorType::sigmoid),
      {.type = OperatorType::glu,
       .signature = "inputs gate and up, and one output",
       .inputs = {2, 2},
       .attributes = {choice("activation", "of the gate", true, activations), flag("approximate", "gelu's tanh form")},
       .in_place = true,
       .check = check_same_shapes},
      binary(OperatorType::add),
      binary(OperatorType::sub),
      binary(OperatorType::mul),
      unary(OperatorType::scale, {number("factor", "multiplies x", true)}),
      {.type = OperatorType::axpy,
       .signature = "inputs x and v, and one output",
       .inputs = {2, 2},
       .attributes = {number("factor", "multiplies v", true)},
       .in_place = true,
       .check = check_same_shapes},
      {.type = OperatorType::cast, .signature = "one input and one output", .check = check_cast},
  };
}

std::vector<OperatorRule> rearranging_rules() {
  return {
      {.type = OperatorType::concat,
       .signature = "one or more inputs, and one output",
       .inputs = {1, kMany},
       .attributes = {integer("axis", "0 joins rows, 1 joins columns", true, 0),
                      flag("placed", "who makes the parts puts them side by side: nothing is counted")},
       .check = check_concat},
      {.type = OperatorType::slice,
       .signature = "one input and one output",
       .attributes = {integer("axis", "0 takes rows, 1 takes columns", true, 0),
                      integer("begin", "the first row or column taken", true, 0)},
       .check = check_slice},
      {.type = OperatorType::sincos,
       .signature = "input t and one output",
       .attributes = {number("period_min", "shortest wavelength", true),
                      number("period_max", "longest wavelength", true)},
       .check = check_sincos},
      {.type = OperatorType::broadcast, .signature = "one input and one output", .check = check_broadcast},
      {.type = OperatorType::patchify,
       .signature = "an image and one output",
       .attributes = {integer("patch", "side of a patch in pixels", true)},
       .check = check_patchify},
      {.type = OperatorType::embedding,
       .signature = "inputs ids and table, and one output",
       .inputs = {2, 2},
       .attributes = {number("scale", "factor of the gathered rows; 1 if absent", false)},
       .check = check_embedding},
  };
}

AttributeRule pair(std::string_view name, std::string_view meaning, std::int64_t low) {
  return {
      .name = name, .kind = AttributeKind::integers, .required = true, .meaning = meaning, .low = low, .high = 1024};
}

std::vector<OperatorRule> grid_rules() {
  const std::vector<AttributeRule> window = {
      integer("height", "rows of the grid", true), integer("width", "columns of the grid", true),
      pair("kernel", "rows and columns under the kernel", 1), pair("stride", "steps down and to the right", 1),
      pair("padding", "rows and columns added on each side", 0)};
  auto padded_window = window;
  padded_window.push_back(flag("count_padding", "places outside the grid count, as zeros"));
  return {
      {.type = OperatorType::reshape, .signature = "one input and one output", .check = check_reshape},
      {.type = OperatorType::pixel_shuffle,
       .signature = "one input and one output",
       .attributes = {integer("factor", "neighbours joined in each direction", true),
                      integer("width", "columns of the grid", true)},
       .check = check_pixel_shuffle},
      {.type = OperatorType::im2col,
       .signature = "one input and one output",
       .attributes = window,
       .check = check_im2col},
      {.type = OperatorType::maxpool,
       .signature = "one input and one output",
       .attributes = window,
       .check = check_maxpool},
      {.type = OperatorType::avgpool,
       .signature = "one input and one output",
       .attributes = padded_window,
       .check = check_avgpool},
      {.type = OperatorType::depthwise_conv,
       .signature = "inputs x, weight and perhaps bias, and one output",
       .inputs = {2, 3},
       .attributes = window,
       .check = check_depthwise_conv},
      {.type = OperatorType::argmax, .signature = "one input and one output", .check = check_argmax},
  };
}

std::vector<OperatorRule> host_rules() {
  return {
      {.type = OperatorType::image_preprocess, .signature = "a frame and an image", .check = check_image_preprocess},
      {.type = OperatorType::tokenize, .signature = "text bytes and ids", .check = check_tokenize},
      {.type = OperatorType::action_postprocess,
       .signature = "one input and one output",
       .check = check_action_postprocess},
  };
}

std::vector<OperatorRule> all_rules() {
  std::vector<OperatorRule> rules(operator_type_names().size());
  for (const auto& group : {matrix_rules(), row_rules(), elementwise_rules(), rearranging_rules(), grid_rules(),
                            host_rules(), function_rules(), view_rules()}) {
    for (const auto& rule : group) rules[static_cast<std::size_t>(rule.type)] = rule;
  }
  return rules;
}

}  // namespace

std::string_view name_of(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::integer:
      return "an integer";
    case AttributeKind::number:
      return "a number";
    case AttributeKind::flag:
      return "true or false";
    case AttributeKind::text:
      return "a word";
    case AttributeKind::integers:
      return "a list of integers";
  }
  return {};
}

const OperatorRule& rule_of(OperatorType type) {
  static const std::vector<OperatorRule> rules = all_rules();
  return rules[static_cast<std::size_t>(type)];
}

const AttributeRule* attribute_of(const OperatorRule& rule, std::string_view name) {
  for (const auto& attribute : rule.attributes) {
    if (attribute.name == name) return &attribute;
  }
  return nullptr;
}

}  // namespace archsim
