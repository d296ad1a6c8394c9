#include "traces/file/decode.h"

#include <fmt/format.h>

#include <optional>
#include <unordered_map>
#include <utility>

#include "arch/describe/near_name.h"
#include "traces/archsim_trace.pb.h"
#include "traces/file/wire.h"

namespace archsim {
namespace {

using std::string_view;

std::vector<std::string> strings(const std::vector<string_view>& names) { return {names.begin(), names.end()}; }

// Whose record it is; a text only where there is something to say.
struct Owner {
  const char* kind;
  const std::string& name;
  std::string text() const { return fmt::format("{} `{}`", kind, name); }
};

template <class Value>
bool is_known(const std::optional<Value>& value, const Owner& owner, const char* what, string_view name,
              std::vector<string_view> (*names)(), const Complain& complain) {
  if (!value) {
    complain(fmt::format("{} has {} `{}`, which nobody knows", owner.text(), what, name),
             help_for_unknown(std::string(name), strings(names())));
  }
  return value.has_value();
}

std::uint32_t whole32(WireReader& in) {
  return static_cast<std::uint32_t>(in.varint());
}  // as protobuf: the lower half

template <class Number>
void add_packed(WireReader& in, std::vector<Number>& into) {
  for (WireReader numbers(in.bytes()); !numbers.ended();) {
    into.push_back(static_cast<Number>(numbers.varint()));
    if (!numbers.is_good()) in.fail();
  }
}

CopyIndex copy_index(WireReader& in, string_view wire) {
  using Field = proto::CopyIndex;
  CopyIndex index;
  WireReader fields(wire);
  while (!fields.ended()) {
    switch (const auto next = fields.varint(); next) {
      case tag(Field::kLoopFieldNumber, Wire::varint):
        index.loop = whole32(fields);
        break;
      case tag(Field::kOffsetFieldNumber, Wire::varint):
        index.offset = whole32(fields);
        break;
      default:
        fields.skip(next);
    }
  }
  if (!fields.is_good()) in.fail();
  return index;
}

TensorUse tensor_use(WireReader& in) {
  using Field = proto::TensorUse;
  TensorUse use;
  WireReader fields(in.bytes());
  while (!fields.ended()) {
    switch (const auto next = fields.varint(); next) {
      case tag(Field::kTensorFieldNumber, Wire::varint):
        use.tensor = whole32(fields);
        break;
      case tag(Field::kCopyFieldNumber, Wire::bytes):
        use.copy.push_back(copy_index(fields, fields.bytes()));
        break;
      default:
        fields.skip(next);
    }
  }
  if (!fields.is_good()) in.fail();
  return use;
}

std::vector<std::int64_t> integers(WireReader& in) {
  using Field = proto::Integers;
  std::vector<std::int64_t> values;
  WireReader fields(in.bytes());
  while (!fields.ended()) {
    const auto next = fields.varint();
    if (next == tag(Field::kValuesFieldNumber, Wire::varint)) {
      values.push_back(fields.zigzag());
    } else if (next == tag(Field::kValuesFieldNumber, Wire::bytes)) {
      WireReader numbers(fields.bytes());
      while (!numbers.ended()) values.push_back(numbers.zigzag());
      if (!numbers.is_good()) fields.fail();
    } else {
      fields.skip(next);
    }
  }
  if (!fields.is_good()) in.fail();
  return values;
}

struct NamedValue {
  std::string name;
  std::optional<AttributeValue> value;
};

NamedValue attribute(WireReader& in) {
  using Field = proto::Attribute;
  NamedValue found;
  WireReader fields(in.bytes());
  while (!fields.ended()) {
    switch (const auto next = fields.varint(); next) {
      case tag(Field::kNameFieldNumber, Wire::bytes):
        found.name = fields.bytes();
        break;
      case tag(Field::kIntegerFieldNumber, Wire::varint):
        found.value = fields.zigzag();
        break;
      case tag(Field::kNumberFieldNumber, Wire::fixed64):
        found.value = fields.number();
        break;
      case tag(Field::kFlagFieldNumber, Wire::varint):
        found.value = fields.varint() != 0;
        break;
      case tag(Field::kTextFieldNumber, Wire::bytes):
        found.value = std::string(fields.bytes());
        break;
      case tag(Field::kIntegersFieldNumber, Wire::bytes):
        found.value = integers(fields);
        break;
      default:
        fields.skip(next);
    }
  }
  if (!fields.is_good()) in.fail();
  return found;
}

std::optional<OperatorType> type_of(string_view name) {
  static const auto all = [] {
    std::unordered_map<string_view, OperatorType> types;
    for (const auto each : operator_type_names()) types.emplace(each, *operator_type_from(each));
    return types;
  }();
  const auto found = all.find(name);
  return found == all.end() ? std::nullopt : std::optional(found->second);
}

// The texts of a tensor's record, before anybody knows whether they mean something.
struct TensorWords {
  string_view role, dtype, layout, group_scale, sparsity;
};

bool read_fields(WireReader& in, Tensor& into, TensorWords& words) {
  using Field = proto::Tensor;
  into.scale = 0.0;
  while (!in.ended()) {
    switch (const auto next = in.varint(); next) {
      case tag(Field::kNameFieldNumber, Wire::bytes):
        into.name = in.bytes();
        break;
      case tag(Field::kRoleFieldNumber, Wire::bytes):
        words.role = in.bytes();
        break;
      case tag(Field::kShapeFieldNumber, Wire::bytes):
        add_packed(in, into.shape);
        break;
      case tag(Field::kShapeFieldNumber, Wire::varint):
        into.shape.push_back(in.varint());
        break;
      case tag(Field::kDtypeFieldNumber, Wire::bytes):
        words.dtype = in.bytes();
        break;
      case tag(Field::kLayoutFieldNumber, Wire::bytes):
        words.layout = in.bytes();
        break;
      case tag(Field::kScaleFieldNumber, Wire::fixed64):
        into.scale = in.number();
        break;
      case tag(Field::kCopiesFieldNumber, Wire::bytes):
        add_packed(in, into.copies);
        break;
      case tag(Field::kCopiesFieldNumber, Wire::varint):
        into.copies.push_back(whole32(in));
        break;
      case tag(Field::kGroupFieldNumber, Wire::varint):
        into.grouping.group = whole32(in);
        break;
      case tag(Field::kGroupScaleFieldNumber, Wire::bytes):
        words.group_scale = in.bytes();
        break;
      case tag(Field::kSparsityFieldNumber, Wire::bytes):
        words.sparsity = in.bytes();
        break;
      default:
        in.skip(next);
    }
  }
  return in.is_good();
}

bool read_grouping(Tensor& into, const TensorWords& words, const Owner& owner, const Complain& complain) {
  Grouping& grouping = into.grouping;
  if (grouping.group > 0) {
    const auto scale = dtype_from(words.group_scale);
    if (!is_known(scale, owner, "type of group scales", words.group_scale, dtype_names, complain)) return false;
    grouping.scale = *scale;
  }
  if (!words.sparsity.empty() && words.sparsity != name_of(Sparsity::two_of_four)) {
    complain(fmt::format("{} has sparsity `{}`, which nobody knows", owner.text(), words.sparsity),
             fmt::format("`{}` is known", name_of(Sparsity::two_of_four)));
    return false;
  }
  grouping.is_two_of_four = !words.sparsity.empty();
  return true;
}

Decoded take_attribute(NamedValue found, Operator& into, const Owner& owner, const Complain& complain) {
  if (!found.value) {
    complain(fmt::format("{} has attribute `{}` without a value", owner.text(), found.name), "");
    return Decoded::wrong;
  }
  if (into.attributes.emplace(found.name, std::move(*found.value)).second) return Decoded::good;
  complain(fmt::format("{} has attribute `{}` twice", owner.text(), found.name), "");
  return Decoded::wrong;
}

}  // namespace

Decoded decode(string_view wire, Tensor& into, const Complain& complain) {
  WireReader in(wire);
  TensorWords words;
  if (!read_fields(in, into, words)) return Decoded::malformed;
  const Owner owner{"tensor", into.name};
  const auto role = role_from(words.role);
  const auto dtype = dtype_from(words.dtype);
  const auto layout = layout_from(words.layout);
  const bool has_role = is_known(role, owner, "role", words.role, role_names, complain);
  const bool has_dtype = is_known(dtype, owner, "element type", words.dtype, dtype_names, complain);
  const bool has_layout = is_known(layout, owner, "layout", words.layout, layout_names, complain);
  if (!has_role || !has_dtype || !has_layout) return Decoded::wrong;
  into.role = *role;
  into.dtype = *dtype;
  into.layout = *layout;
  return read_grouping(into, words, owner, complain) ? Decoded::good : Decoded::wrong;
}

Decoded decode(string_view wire, Operator& into, const Complain& complain) {
  constexpr std::size_t kUsualInputs = 2;
  using Field = proto::Operator;
  WireReader in(wire);
  string_view type_name;
  std::vector<NamedValue> attributes;
  while (!in.ended()) {
    switch (const auto next = in.varint(); next) {
      case tag(Field::kNameFieldNumber, Wire::bytes):
        into.name = in.bytes();
        break;
      case tag(Field::kTypeFieldNumber, Wire::bytes):
        type_name = in.bytes();
        break;
      case tag(Field::kAttributesFieldNumber, Wire::bytes):
        attributes.push_back(attribute(in));
        break;
      case tag(Field::kInputsFieldNumber, Wire::bytes):
        if (into.inputs.empty()) into.inputs.reserve(kUsualInputs);
        into.inputs.push_back(tensor_use(in));
        break;
      case tag(Field::kOutputsFieldNumber, Wire::bytes):
        into.outputs.push_back(tensor_use(in));
        break;
      case tag(Field::kDependenciesFieldNumber, Wire::bytes):
        add_packed(in, into.dependencies);
        break;
      case tag(Field::kDependenciesFieldNumber, Wire::varint):
        into.dependencies.push_back(whole32(in));
        break;
      case tag(Field::kDeadFieldNumber, Wire::varint):
        into.dead = in.varint() != 0;
        break;
      default:
        in.skip(next);
    }
  }
  if (!in.is_good()) return Decoded::malformed;
  const Owner owner{"operator", into.name};
  const auto type = type_of(type_name);
  if (!is_known(type, owner, "type", type_name, operator_type_names, complain)) return Decoded::wrong;
  into.type = *type;
  for (auto& found : attributes) {
    if (const auto how = take_attribute(std::move(found), into, owner, complain); how != Decoded::good) return how;
  }
  return Decoded::good;
}

}  // namespace archsim
