// Values of params without their types: what their text looks like, and how it is read and shown.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "arch/describe/diagnostic.h"
#include "arch/describe/values/enum_names.h"
#include "arch/describe/yaml.h"
#include "arch/units/text.h"

namespace archsim {

/// A value as YAML and JSON know it. Quantities and enumerators are text.
struct Datum {
  using List = std::vector<Datum>;
  using Map = std::vector<std::pair<std::string, Datum>>;
  std::variant<std::monostate, bool, std::uint64_t, double, std::string, List, Map> value;

  bool is_null() const { return std::holds_alternative<std::monostate>(value); }
};
bool operator==(const Datum& a, const Datum& b);

/// As YAML on one line: `2 MiB`, `[weight_stationary]`, `{int8: 1, bf16: 1}`; empty for null.
std::string show(const Datum& datum);

/// What the text of a value looks like.
struct ValueShape {
  enum class Kind { boolean, integer, number, text, quantity, choice, list, map, group };
  Kind kind = Kind::text;
  std::string type;                                // "bytes", "whole number", "one of `a`, `b`": for help
  std::string example;                             // "256 KiB"
  std::vector<std::string> names;                  // choices, a map's keys, or the units of a quantity
  std::shared_ptr<const ValueShape> element = {};  // of a list or map
  bool is_optional = false;                        // may be null
};

/// How values of type T are read and shown. Specialized for every type that a param may have. read() gives false, with
/// errors that call the value `name`, if the node is no such value; `like` may bring a better example for the help.
template <class T>
struct ValueCodec;

namespace detail {

/// Says what is wrong with the value of param `name`, and how it would be right.
void bad_value(const YamlNode& node, const std::string& name, const ValueShape& shape, const std::string& why,
               Diagnostics& out);
/// False, with an error, if `node` is not of this kind.
bool expect_kind(const YamlNode& node, YamlNode::Kind kind, const std::string& name, const ValueShape& shape,
                 Diagnostics& out);

Parsed<bool> parse_bool(std::string_view text);
Parsed<std::uint64_t> parse_whole(std::string_view text, std::uint64_t most);
Parsed<double> parse_number(std::string_view text);

ValueShape quantity_shape(const UnitText& units);
ValueShape choice_shape(std::vector<std::string> names);
ValueShape list_shape(ValueShape element);
ValueShape map_shape(std::vector<std::string> keys, ValueShape element);

/// Something to read a value into.
template <class T>
T blank() {
  if constexpr (IsQuantity<T>) {
    return T::zero();
  } else {
    return T{};
  }
}

/// Reads one scalar by way of `parse`.
template <class T, class Parse>
bool read_scalar(const YamlNode& node, const std::string& name, const ValueShape& shape, Parse parse, T& value,
                 Diagnostics& out) {
  if (!expect_kind(node, YamlNode::Kind::scalar, name, shape, out)) return false;
  const auto parsed = parse(node.scalar());
  if (!parsed) return bad_value(node, name, shape, parsed.error, out), false;
  value = static_cast<T>(*parsed.value);
  return true;
}

}  // namespace detail

template <>
struct ValueCodec<bool> {
  static ValueShape shape() { return {ValueShape::Kind::boolean, "true or false", "true", {}}; }
  static bool read(const YamlNode& node, const std::string& name, bool& value, Diagnostics& out,
                   const ValueShape& like = shape()) {
    return detail::read_scalar(node, name, like, detail::parse_bool, value, out);
  }
  static Datum datum(bool value) { return {value}; }
};

template <std::unsigned_integral T>
requires(!std::same_as<T, bool>) struct ValueCodec<T> {
  static ValueShape shape() { return {ValueShape::Kind::integer, "whole number", "16", {}}; }
  static bool read(const YamlNode& node, const std::string& name, T& value, Diagnostics& out,
                   const ValueShape& like = shape()) {
    const auto parse = [](std::string_view text) { return detail::parse_whole(text, std::numeric_limits<T>::max()); };
    return detail::read_scalar(node, name, like, parse, value, out);
  }
  static Datum datum(T value) { return {static_cast<std::uint64_t>(value)}; }
};

template <>
struct ValueCodec<double> {
  static ValueShape shape() { return {ValueShape::Kind::number, "number", "0.5", {}}; }
  static bool read(const YamlNode& node, const std::string& name, double& value, Diagnostics& out,
                   const ValueShape& like = shape()) {
    return detail::read_scalar(node, name, like, detail::parse_number, value, out);
  }
  static Datum datum(double value) { return {value}; }
};

template <>
struct ValueCodec<std::string> {
  static ValueShape shape() { return {ValueShape::Kind::text, "text", "name", {}}; }
  static bool read(const YamlNode& node, const std::string& name, std::string& value, Diagnostics& out,
                   const ValueShape& like = shape()) {
    const auto parse = [](std::string_view text) { return Parsed<std::string>{std::string(text)}; };
    return detail::read_scalar(node, name, like, parse, value, out);
  }
  static Datum datum(const std::string& value) { return {value}; }
};

template <IsQuantity Q>
struct ValueCodec<Q> {
  static ValueShape shape() { return detail::quantity_shape(QuantityText<Q>::units()); }
  static bool read(const YamlNode& node, const std::string& name, Q& value, Diagnostics& out,
                   const ValueShape& like = shape()) {
    return detail::read_scalar(node, name, like, parse<Q>, value, out);
  }
  static Datum datum(Q value) { return {show(value)}; }
};

template <ScopedEnum E>
struct ValueCodec<E> {
  static ValueShape shape() { return detail::choice_shape(enum_name_list<E>()); }
  static bool read(const YamlNode& node, const std::string& name, E& value, Diagnostics& out,
                   const ValueShape& like = shape()) {
    const auto parse = [](std::string_view text) { return Parsed<E>{enum_from<E>(text)}; };
    return detail::read_scalar(node, name, like, parse, value, out);
  }
  static Datum datum(E value) { return {std::string(enum_name(value))}; }
};

template <class T>
struct ValueCodec<std::optional<T>> {
  static ValueShape shape() {
    ValueShape inner = ValueCodec<T>::shape();
    inner.is_optional = true;
    return inner;
  }
  static bool read(const YamlNode& node, const std::string& name, std::optional<T>& value, Diagnostics& out,
                   const ValueShape& like = shape()) {
    if (node.kind() == YamlNode::Kind::null) return value.reset(), true;
    T inner = detail::blank<T>();
    if (!ValueCodec<T>::read(node, name, inner, out, like)) return false;
    value = std::move(inner);
    return true;
  }
  static Datum datum(const std::optional<T>& value) { return value ? ValueCodec<T>::datum(*value) : Datum{}; }
};

template <class T>
struct ValueCodec<std::vector<T>> {
  static ValueShape shape() { return detail::list_shape(ValueCodec<T>::shape()); }
  static bool read(const YamlNode& node, const std::string& name, std::vector<T>& value, Diagnostics& out,
                   const ValueShape& like = shape()) {
    if (!detail::expect_kind(node, YamlNode::Kind::sequence, name, like, out)) return false;
    value.clear();
    bool good = true;
    for (const YamlNode& item : node.items()) {
      T element = detail::blank<T>();
      if (!ValueCodec<T>::read(item, name, element, out, *like.element)) {
        good = false;
      } else if (ScopedEnum<T> && std::find(value.begin(), value.end(), element) != value.end()) {
        out.error(item.location(), "`" + item.scalar() + "` stands twice in `" + name + "`");
        good = false;
      } else {
        value.push_back(std::move(element));
      }
    }
    return good;
  }
  static Datum datum(const std::vector<T>& value) {
    Datum::List list;
    for (const T& element : value) list.push_back(ValueCodec<T>::datum(element));
    return {std::move(list)};
  }
};

template <ScopedEnum K, class T>
struct ValueCodec<std::map<K, T>> {
  static ValueShape shape() { return detail::map_shape(enum_name_list<K>(), ValueCodec<T>::shape()); }
  static bool read(const YamlNode& node, const std::string& name, std::map<K, T>& value, Diagnostics& out,
                   const ValueShape& like = shape()) {
    if (!detail::expect_kind(node, YamlNode::Kind::map, name, like, out)) return false;
    value.clear();
    bool good = true;
    for (const YamlEntry& entry : node.entries()) {
      const auto key = enum_from<K>(entry.name());
      T element = detail::blank<T>();
      if (!key) detail::bad_value(entry.key, name, detail::choice_shape(enum_name_list<K>()), {}, out);
      const bool read = ValueCodec<T>::read(entry.value, name + "." + entry.name(), element, out, *like.element);
      if (key && read) value.emplace(*key, std::move(element));
      good = good && key && read;
    }
    return good;
  }
  static Datum datum(const std::map<K, T>& value) {
    Datum::Map map;
    for (const auto& [key, element] : value) map.emplace_back(enum_name(key), ValueCodec<T>::datum(element));
    return {std::move(map)};
  }
};

}  // namespace archsim
