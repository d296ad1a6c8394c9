#include "traces/file/decode.h"

#include <fmt/format.h>

#include "arch/describe/near_name.h"

namespace archsim {
namespace {

std::vector<std::string> strings(const std::vector<std::string_view>& names) { return {names.begin(), names.end()}; }

// Whose record it is; a text only where there is something to say.
struct Owner {
  const char* kind;
  const std::string& name;
  std::string text() const { return fmt::format("{} `{}`", kind, name); }
};

template <class Value>
std::optional<Value> known(std::optional<Value> value, const Owner& owner, const char* what, const std::string& name,
                           std::vector<std::string_view> (*names)(), const Complain& complain) {
  if (!value)
    complain(fmt::format("{} has {} `{}`, which nobody knows", owner.text(), what, name),
             help_for_unknown(name, strings(names())));
  return value;
}

TensorUse decode(const proto::TensorUse& message) {
  TensorUse use;
  use.tensor = message.tensor();
  for (const auto& index : message.copy()) {
    use.copy.push_back({index.has_loop() ? index.loop() : CopyIndex::kFixed, index.offset()});
  }
  return use;
}

std::optional<AttributeValue> decode(const proto::Attribute& message) {
  switch (message.value_case()) {
    case proto::Attribute::kInteger:
      return message.integer();
    case proto::Attribute::kNumber:
      return message.number();
    case proto::Attribute::kFlag:
      return message.flag();
    case proto::Attribute::kText:
      return message.text();
    case proto::Attribute::kIntegers:
      return std::vector<std::int64_t>(message.integers().values().begin(), message.integers().values().end());
    case proto::Attribute::VALUE_NOT_SET:
      break;
  }
  return std::nullopt;
}

std::optional<Grouping> decode_grouping(const proto::Tensor& message, const Owner& owner, const Complain& complain) {
  Grouping grouping{.group = message.group()};
  if (grouping.group > 0) {
    const auto scale = known(dtype_from(message.group_scale()), owner, "type of group scales", message.group_scale(),
                             dtype_names, complain);
    if (!scale) return std::nullopt;
    grouping.scale = *scale;
  }
  if (!message.sparsity().empty()) {
    if (message.sparsity() != name_of(Sparsity::two_of_four)) {
      complain(fmt::format("{} has sparsity `{}`, which nobody knows", owner.text(), message.sparsity()),
               fmt::format("`{}` is known", name_of(Sparsity::two_of_four)));
      return std::nullopt;
    }
    grouping.is_two_of_four = true;
  }
  return grouping;
}

}  // namespace

std::optional<Tensor> decode(const proto::Tensor& message, const Complain& complain) {
  const Owner owner{"tensor", message.name()};
  const auto role = known(role_from(message.role()), owner, "role", message.role(), role_names, complain);
  const auto dtype = known(dtype_from(message.dtype()), owner, "element type", message.dtype(), dtype_names, complain);
  const auto layout = known(layout_from(message.layout()), owner, "layout", message.layout(), layout_names, complain);
  if (!role || !dtype || !layout) return std::nullopt;
  Tensor tensor;
  tensor.name = message.name();
  tensor.role = *role;
  tensor.shape.assign(message.shape().begin(), message.shape().end());
  tensor.dtype = *dtype;
  tensor.layout = *layout;
  tensor.scale = message.scale();
  tensor.copies.assign(message.copies().begin(), message.copies().end());
  const auto grouping = decode_grouping(message, owner, complain);
  if (!grouping) return std::nullopt;
  tensor.grouping = *grouping;
  return tensor;
}

std::optional<Operator> decode(const proto::Operator& message, const Complain& complain) {
  const Owner owner{"operator", message.name()};
  const auto type =
      known(operator_type_from(message.type()), owner, "type", message.type(), operator_type_names, complain);
  if (!type) return std::nullopt;
  Operator op;
  op.name = message.name();
  op.type = *type;
  for (const auto& attribute : message.attributes()) {
    auto value = decode(attribute);
    if (!value) {
      complain(fmt::format("{} has attribute `{}` without a value", owner.text(), attribute.name()), "");
      return std::nullopt;
    }
    if (!op.attributes.emplace(attribute.name(), std::move(*value)).second) {
      complain(fmt::format("{} has attribute `{}` twice", owner.text(), attribute.name()), "");
      return std::nullopt;
    }
  }
  for (const auto& use : message.inputs()) op.inputs.push_back(decode(use));
  for (const auto& use : message.outputs()) op.outputs.push_back(decode(use));
  op.dependencies.assign(message.dependencies().begin(), message.dependencies().end());
  op.dead = message.dead();
  return op;
}

}  // namespace archsim
