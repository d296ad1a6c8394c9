#include <fmt/format.h>

#include <cmath>

#include "arch/describe/near_name.h"
#include "traces/generate/expander.h"

namespace archsim {
namespace {

// One value, or a list of them.
std::vector<YamlNode> one_or_more(const YamlNode& node) {
  if (node.is_sequence()) return node.items();
  return {node};
}

}  // namespace

void Expander::expand_operator(const Step& step, const OperatorRule& rule, const Scope& scope, Body& steps) {
  Operator op;
  op.type = rule.type;
  op.name = join_path(scope.operator_path, step.name);
  if (step.name.empty()) error(step.key.location(), fmt::format("operator `{}` needs a name", step.verb));
  Diagnostics found;
  MapReader reader(step.arguments, fmt::format("operator `{}` ({})", step.name, step.verb), found);
  const bool wanted = is_wanted(reader, scope);
  const auto* in = reader.required("in");
  const auto* to = reader.required("out");
  const auto* dead = reader.optional("dead");
  const auto* after = reader.optional("after");
  for (const auto& attribute : rule.attributes) reader.optional(std::string(attribute.name));
  reader.refuse_others();
  take_over(found);
  if (!wanted) return;  // what it names may not have been declared either
  op.inputs = read_operands(in, scope);
  op.outputs = read_operands(to, scope);
  read_attributes(rule, step.arguments, scope, op);
  if (dead) op.dead = integer(dead->value, scope, 0, 1).value_or(0) == 1;
  if (after) read_dependencies(*after, scope);
  fit_bias(op);
  steps.emplace_back(static_cast<std::uint32_t>(trace_.operators.size()));
  trace_.operators.push_back(std::move(op));
  operator_locations_.push_back(step.key.location());
}

std::vector<TensorUse> Expander::read_operands(const YamlEntry* entry, const Scope& scope) {
  std::vector<TensorUse> uses;
  if (!entry) return uses;
  for (const auto& node : one_or_more(entry->value)) {
    if (!node.is_scalar()) {
      error(node.location(), fmt::format("this is {}, not a tensor", kind_in_words(node.kind())));
      continue;
    }
    Diagnostics found;
    const auto more = ReferenceReader{scope, trace_.tensors, found}.read(node.scalar(), node.location());
    take_over(found);
    if (more) uses.insert(uses.end(), more->begin(), more->end());
  }
  return uses;
}

void Expander::read_attributes(const OperatorRule& rule, const YamlNode& arguments, const Scope& scope, Operator& op) {
  for (const auto& attribute : rule.attributes) {
    const std::string name(attribute.name);
    const auto* entry = arguments.find(name);
    if (!entry) continue;
    if (auto value = read_attribute(attribute, entry->value, scope)) op.attributes[name] = std::move(*value);
  }
}

std::optional<AttributeValue> Expander::read_attribute(const AttributeRule& rule, const YamlNode& value,
                                                       const Scope& scope) {
  switch (rule.kind) {
    case AttributeKind::integer: {
      const auto number = integer(value, scope, rule.low, rule.high);
      if (!number) return std::nullopt;
      return *number;
    }
    case AttributeKind::integers: {
      std::vector<std::int64_t> numbers;
      for (const auto& item : one_or_more(value)) {
        const auto number = integer(item, scope, rule.low, rule.high);
        if (!number) return std::nullopt;
        numbers.push_back(*number);
      }
      return numbers;
    }
    case AttributeKind::number: {
      Diagnostics found;
      const auto number = evaluate(value.scalar(), value.location(), scope.numbers, found);
      take_over(found);
      if (!number) return std::nullopt;
      return *number;
    }
    case AttributeKind::flag: {
      if (value.scalar() == "true" || value.scalar() == "false") return value.scalar() == "true";
      if (scope.numbers.contains(value.scalar())) return scope.numbers.find(value.scalar())->second != 0.0;
      error(value.location(), fmt::format("`{}` is neither true nor false, nor the name of a number", value.scalar()));
      return std::nullopt;
    }
    case AttributeKind::text: {
      const std::vector<std::string> choices(rule.choices.begin(), rule.choices.end());
      for (const auto& choice : choices) {
        if (choice == value.scalar()) return choice;
      }
      error(value.location(), fmt::format("no {} is called `{}`", rule.name, value.scalar()),
            help_for_unknown(value.scalar(), choices));
      return std::nullopt;
    }
  }
  return std::nullopt;
}

void Expander::read_dependencies(const YamlEntry& entry, const Scope& scope) {
  const auto op = static_cast<std::uint32_t>(trace_.operators.size());
  for (const auto& node : one_or_more(entry.value)) {
    pending_.push_back({op, scope.operator_path, node.scalar(), node.location()});
  }
}

// A bias starts the accumulator, so it is counted in the accumulator's unit unless the file says otherwise.
void Expander::fit_bias(const Operator& op) {
  const bool accumulates = op.type == OperatorType::linear || op.type == OperatorType::depthwise_conv;
  if (!accumulates || op.inputs.size() != 3) return;
  const auto bias = op.inputs[2].tensor;
  if (trace_.tensors[bias].dtype != Dtype::int32 || hints_.scales[bias] > 0.0) return;
  trace_.tensors[bias].scale = trace_.tensors[op.inputs[0].tensor].scale * trace_.tensors[op.inputs[1].tensor].scale;
}

}  // namespace archsim
