// How the typed tables of fields.h become those of table.h. Included by table.h.
#pragma once

#include <bit>
#include <optional>
#include <string>
#include <type_traits>

#include "arch/describe/table.h"

namespace archsim {

namespace detail {

/// Says where one bounded value breaks its line; true if it does not.
template <class T, class ParamLineType>
bool check_one(const T& value, const ParamLineType& line, const std::string& name, const Location& where,
               Diagnostics& out) {
  if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(line.range)>, NoBounds>) {
    if (line.range && (value < line.range->first || line.range->second < value)) {
      complain_range(name, ValueCodec<T>::datum(value), ValueCodec<T>::datum(line.range->first),
                     ValueCodec<T>::datum(line.range->second), std::string(line.doc), where, out);
      return false;
    }
  }
  if (line.must_be_power_of_two) {
    if constexpr (IsQuantity<T>) {
      if constexpr (std::integral<typename T::Rep>) {
        if (std::has_single_bit(value.value)) return true;
        return complain_power_of_two(name, ValueCodec<T>::datum(value), std::string(line.doc), where, out);
      }
    } else if constexpr (std::unsigned_integral<T> && !std::is_same_v<T, bool>) {
      if (std::has_single_bit(value)) return true;
      return complain_power_of_two(name, ValueCodec<T>::datum(value), std::string(line.doc), where, out);
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

template <class T, class ParamLineType>
bool check_value(const T& value, const ParamLineType& line, const std::string& name, const Location& where,
                 Diagnostics& out) {
  if constexpr (kIsVector<T> || kIsMap<T> || std::is_same_v<T, std::string>) {
    if (line.must_not_be_empty && value.empty()) {
      out.error(where, "`" + name + "` must not be empty", "`" + name + "`: " + std::string(line.doc));
      return false;
    }
  }
  bool good = true;
  if constexpr (kIsOptional<T>) {
    if (value) good = check_one(*value, line, name, where, out);
  } else if constexpr (kIsVector<T>) {
    for (const auto& element : value) good = check_one(element, line, name, where, out) && good;
  } else if constexpr (kIsMap<T>) {
    for (const auto& [key, element] : value) {
      good = check_one(element, line, name + "." + std::string(enum_name(key)), where, out) && good;
    }
  } else {
    good = check_one(value, line, name, where, out);
  }
  return good;
}

template <class T, class ParamLineType>
void describe_value(ParamEntry& entry, const ParamLineType& line, const T& standard) {
  entry.shape = ValueCodec<T>::shape();
  entry.default_text = show(ValueCodec<T>::datum(standard));
  if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(line.range)>, NoBounds>) {
    using Bound = typename ParamLineType::Bound;
    if (line.range) {
      entry.low = ValueCodec<Bound>::datum(line.range->first);
      entry.high = ValueCodec<Bound>::datum(line.range->second);
      entry.range = show(entry.low) + " .. " + show(entry.high);
    }
  }
  if (line.must_be_power_of_two) entry.range += entry.range.empty() ? "a power of two" : ", a power of two";
  entry.must_not_be_empty = line.must_not_be_empty;
  if (line.must_not_be_empty) entry.range += entry.range.empty() ? "not empty" : ", not empty";
  if (!entry.default_text.empty()) entry.shape.example = entry.default_text;
  entry.read = [shape = entry.shape](const YamlNode& node, const std::string& name, void* value, Diagnostics& out) {
    return ValueCodec<T>::read(node, name, *static_cast<T*>(value), out, shape);
  };
  entry.datum = [](const void* value) { return ValueCodec<T>::datum(*static_cast<const T*>(value)); };
  entry.check = [line](const void* value, const std::string& name, const Location& where, Diagnostics& out) {
    return check_value(*static_cast<const T*>(value), line, name, where, out);
  };
}

template <class P, class ParamLineType>
ParamEntry param_entry(const ParamLineType& line, const P& standard) {
  using T = typename ParamLineType::Type;
  constexpr auto kMember = ParamLineType::kMember;
  ParamEntry entry;
  entry.name = line.kName;
  entry.doc = line.doc;
  entry.member = [](void* params) -> void* { return &(static_cast<P*>(params)->*kMember); };
  if constexpr (Described<T>) {
    entry.group = std::make_shared<const ParamTable>(ParamTable::of<T>(standard.*kMember));
    entry.shape = group_shape(*entry.group);
  } else {
    describe_value<T>(entry, line, standard.*kMember);
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
std::variant<std::uint64_t, double> stat_number(Q quantity) {
  if constexpr (std::is_same_v<Q, Time>) {
    return seconds(quantity);
  } else {
    return quantity.value;
  }
}

/// Fills in how a stat of this type is read.
inline void describe_stat(StatEntry& entry, std::function<const Count&(const void*)> get) {
  entry.key = entry.name;
  entry.read = [get](const void* stats) -> std::variant<std::uint64_t, double> { return get(stats).value; };
}

inline void describe_stat(StatEntry& entry, std::function<const TimeShares&(const void*)> get) {
  entry.key = entry.name;
  entry.unit = "s";
  entry.time_shares = std::move(get);
}

template <class Q>
void describe_stat(StatEntry& entry, std::function<const Total<Q>&(const void*)> get) {
  entry.unit = stat_unit<Q>();
  entry.key = key_with_unit(entry.name, entry.unit);
  entry.read = [get](const void* stats) { return stat_number(get(stats).sum); };
}

template <class Q>
void describe_stat(StatEntry& entry, std::function<const Peak<Q>&(const void*)> get) {
  entry.unit = stat_unit<Q>();
  entry.key = key_with_unit(entry.name, entry.unit);
  entry.read = [get](const void* stats) { return stat_number(get(stats).highest); };
}

}  // namespace detail

template <Described P>
ParamTable ParamTable::of(const P& standard) {
  ParamTable table;
  for_each_line<P>([&](const auto& line) { table.entries_.push_back(detail::param_entry(line, standard)); });
  if constexpr (HasRules<P>) {
    for (const auto& rule : P::rules()) {
      const auto holds = rule.holds;
      table.rules_.push_back({std::string(rule.text), std::string(rule.about),
                              [holds](const void* params) { return holds(*static_cast<const P*>(params)); }});
    }
  }
  table.defaults_ = AnyParams::of(standard);
  table.copy_ = [](const void* params) -> std::shared_ptr<void> {
    return std::make_shared<P>(*static_cast<const P*>(params));
  };
  table.check_defaults();
  return table;
}

template <Described S>
StatTable StatTable::of() {
  StatTable table;
  const auto add = [&](const auto& line) {
    using LineType = std::remove_cvref_t<decltype(line)>;
    StatEntry entry;
    entry.name = line.kName;
    entry.doc = line.doc;
    using T = typename LineType::Type;
    detail::describe_stat(entry, std::function<const T&(const void*)>([](const void* stats) -> const T& {
                            return static_cast<const S*>(stats)->*LineType::kMember;
                          }));
    table.entries_.push_back(std::move(entry));
  };
  for_each_line<S>(add);
  return table;
}

template <Described E>
EventTable EventTable::of() {
  EventTable table;
  const auto add = [&](const auto& line) {
    using LineType = std::remove_cvref_t<decltype(line)>;
    static_assert(std::is_same_v<typename LineType::Type, Count>, "an event is counted");
    table.entries_.push_back(
        {std::string(line.kName), std::string(line.doc), std::string(line.cost_key),
         [](const void* events) { return (static_cast<const E*>(events)->*LineType::kMember).value; }});
  };
  for_each_line<E>(add);
  return table;
}

}  // namespace archsim
