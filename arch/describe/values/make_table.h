// How the typed tables of fields.h become those of table.h. Included by table.h.
//
// Compile time: what is instantiated for each member is one address function; all else is per type of value.
#pragma once

#include <bit>
#include <optional>
#include <string>
#include <type_traits>

#include "arch/describe/table.h"

namespace archsim {

namespace detail {

template <auto Member>
void* member_at(void* owner) {
  return &(static_cast<typename Line<Member>::Owner*>(owner)->*Member);
}

template <auto Member>
const void* const_member_at(const void* owner) {
  return &(static_cast<const typename Line<Member>::Owner*>(owner)->*Member);
}

/// What a line says about values, without the member.
template <class Bound>
struct Limits {
  Bounds<Bound> range = {};
  bool must_be_power_of_two = false;
  bool must_not_be_empty = false;
  std::string doc = {};
};

template <class T>
bool is_power_of_two(const T& value) {
  if constexpr (IsQuantity<T>) {
    return std::has_single_bit(value.value);
  } else {
    return std::has_single_bit(value);
  }
}

/// Says where one bounded value breaks its limits; true if it does not.
template <class T>
bool check_one(const T& value, const Limits<T>& limits, const std::string& name, const Location& where,
               Diagnostics& out) {
  if constexpr (!std::is_same_v<Bounds<T>, NoBounds>) {
    if (limits.range && (value < limits.range->first || limits.range->second < value)) {
      complain_range(name, ValueCodec<T>::datum(value), ValueCodec<T>::datum(limits.range->first),
                     ValueCodec<T>::datum(limits.range->second), limits.doc, where, out);
      return false;
    }
  }
  if constexpr (kHasPowers<T>) {
    if (limits.must_be_power_of_two && !is_power_of_two(value)) {
      return complain_power_of_two(name, ValueCodec<T>::datum(value), limits.doc, where, out);
    }
  }
  return true;
}

template <class T>
inline constexpr bool kIsVector = false;
template <class T>
inline constexpr bool kIsVector<std::vector<T>> = true;
template <class T>
inline constexpr bool kIsMap = false;
template <class K, class T>
inline constexpr bool kIsMap<std::map<K, T>> = true;

template <class T, class Bound>
bool check_value(const T& value, const Limits<Bound>& limits, const std::string& name, const Location& where,
                 Diagnostics& out) {
  if constexpr (kIsVector<T> || kIsMap<T> || std::is_same_v<T, std::string>) {
    if (limits.must_not_be_empty && value.empty()) return complain_empty(name, limits.doc, where, out);
  }
  bool good = true;
  if constexpr (kIsOptional<T>) {
    if (value) good = check_one(*value, limits, name, where, out);
  } else if constexpr (kIsVector<T>) {
    for (const auto& element : value) good = check_one<Bound>(element, limits, name, where, out) && good;
  } else if constexpr (kIsMap<T>) {
    for (const auto& [key, element] : value) {
      good = check_one(element, limits, name + "." + std::string(enum_name(key)), where, out) && good;
    }
  } else {
    good = check_one(value, limits, name, where, out);
  }
  return good;
}

template <class T>
bool read_erased(const YamlNode& node, const std::string& name, void* value, Diagnostics& out,
                 const ValueShape& shape) {
  return ValueCodec<T>::read(node, name, *static_cast<T*>(value), out, shape);
}

template <class T>
Datum datum_erased(const void* value) {
  return ValueCodec<T>::datum(*static_cast<const T*>(value));
}

/// Fills in all that depends on the type of the value but not on the struct that holds it.
template <class T, class Bound>
void describe_value(ParamEntry& entry, Limits<Bound> limits, const T& standard) {
  entry.shape = ValueCodec<T>::shape();
  entry.default_text = show(ValueCodec<T>::datum(standard));
  if (!entry.default_text.empty()) entry.shape.example = entry.default_text;
  if constexpr (!std::is_same_v<Bounds<Bound>, NoBounds>) {
    if (limits.range) {
      entry.low = ValueCodec<Bound>::datum(limits.range->first);
      entry.high = ValueCodec<Bound>::datum(limits.range->second);
    }
  }
  entry.must_not_be_empty = limits.must_not_be_empty;
  entry.range = range_text(entry, limits.must_be_power_of_two);
  entry.read = read_erased<T>;
  entry.datum = datum_erased<T>;
  limits.doc = entry.doc;
  entry.check = [limits = std::move(limits)](const void* value, const std::string& name, const Location& where,
                                             Diagnostics& out) {
    return check_value(*static_cast<const T*>(value), limits, name, where, out);
  };
}

// The common types, compiled once in common_types.cpp.
#define ARCHSIM_COMMON_TYPE(T) extern template void describe_value<T, T>(ParamEntry&, Limits<T>, const T&);
ARCHSIM_COMMON_TYPE(bool)
ARCHSIM_COMMON_TYPE(unsigned)
ARCHSIM_COMMON_TYPE(std::uint64_t)
ARCHSIM_COMMON_TYPE(double)
ARCHSIM_COMMON_TYPE(std::string)
ARCHSIM_COMMON_TYPE(Bytes)
ARCHSIM_COMMON_TYPE(Cycles)
ARCHSIM_COMMON_TYPE(Time)
ARCHSIM_COMMON_TYPE(Frequency)
ARCHSIM_COMMON_TYPE(Bandwidth)
ARCHSIM_COMMON_TYPE(Energy)
ARCHSIM_COMMON_TYPE(Power)
ARCHSIM_COMMON_TYPE(Area)
#undef ARCHSIM_COMMON_TYPE

template <auto Member, class P>
ParamEntry param_entry(const ParamLine<Member>& line, const P& standard) {
  using T = typename ParamLine<Member>::Type;
  ParamEntry entry;
  entry.name = line.kName;
  entry.doc = line.doc;
  entry.member = member_at<Member>;
  if constexpr (Described<T>) {
    entry.group = std::make_shared<const ParamTable>(ParamTable::of<T>(standard.*Member));
    entry.shape = group_shape(*entry.group);
  } else {
    using Bound = typename ParamLine<Member>::Bound;
    describe_value<T, Bound>(entry, {line.range, line.must_be_power_of_two, line.must_not_be_empty}, standard.*Member);
  }
  return entry;
}

/// The part of a column's name that tells its unit, and the unit.
template <class Q>
constexpr std::string_view stat_unit() {
  if constexpr (std::is_same_v<Q, Bytes>) return "bytes";
  if constexpr (std::is_same_v<Q, Cycles>) return "cycles";
  if constexpr (std::is_same_v<Q, Time>) return "s";
  if constexpr (std::is_same_v<Q, Energy>) return "j";
}

template <class Q>
StatNumber stat_number(Q quantity) {
  if constexpr (std::is_same_v<Q, Time>) {
    return seconds(quantity);
  } else {
    return quantity.value;
  }
}

/// How a stat of type T becomes a number; time shares do not.
template <class T>
struct StatCodec;

template <>
struct StatCodec<Count> {
  static constexpr std::string_view kUnit = "";
  static StatNumber number(const void* stat) { return static_cast<const Count*>(stat)->value; }
};

template <class Q>
struct StatCodec<Total<Q>> {
  static constexpr std::string_view kUnit = stat_unit<Q>();
  static StatNumber number(const void* stat) { return stat_number(static_cast<const Total<Q>*>(stat)->sum); }
};

template <class Q>
struct StatCodec<Peak<Q>> {
  static constexpr std::string_view kUnit = stat_unit<Q>();
  static StatNumber number(const void* stat) { return stat_number(static_cast<const Peak<Q>*>(stat)->highest); }
};

template <class P>
std::shared_ptr<void> copy_erased(const void* params) {
  return std::make_shared<P>(*static_cast<const P*>(params));
}

}  // namespace detail

template <Described P>
ParamTable ParamTable::of(const P& standard) {
  ParamTable table;
  for_each_line<P>([&](const auto& line) { table.add(detail::param_entry(line, standard)); });
  if constexpr (HasRules<P>) {
    for (const auto& rule : P::rules()) {
      const auto holds = rule.holds;
      table.add_rule(rule.text, rule.about,
                     [holds](const void* params) { return holds(*static_cast<const P*>(params)); });
    }
  }
  table.defaults_ = AnyParams::of(standard);
  table.copy_ = detail::copy_erased<P>;
  table.check_defaults();
  return table;
}

template <Described S>
StatTable StatTable::of() {
  StatTable table;
  for_each_line<S>([&]<auto Member>(const StatLine<Member>& line) {
    using T = typename StatLine<Member>::Type;
    if constexpr (std::is_same_v<T, TimeShares>) {
      table.add_shares(line.kName, line.doc, detail::const_member_at<Member>);
    } else {
      using Codec = detail::StatCodec<T>;
      table.add_number(line.kName, Codec::kUnit, line.doc, detail::const_member_at<Member>, Codec::number);
    }
  });
  return table;
}

template <Described E>
EventTable EventTable::of() {
  EventTable table;
  for_each_line<E>([&]<auto Member>(const EventLine<Member>& line) {
    static_assert(std::is_same_v<typename EventLine<Member>::Type, Count>, "an event is counted");
    table.add(line.kName, line.doc, line.cost_key, detail::const_member_at<Member>);
  });
  return table;
}

}  // namespace archsim
