// Declared once: a struct's table of its own members. Whoever needs to know about a param, a stat or an event (the YAML
// reader, --set, help, JSON schema, reference pages, report columns) reads it from here, by way of table.h.
//
//     struct BankedSramParams {
//       Bytes capacity = 1_MiB;
//       unsigned banks = 16;
//
//       static constexpr auto fields() {
//         using P = BankedSramParams;
//         return fields_of(param<&P::capacity>("data held by all banks").between(4_KiB, 64_MiB),
//                          param<&P::banks>("banks; consecutive words go to consecutive banks").between(1, 64));
//       }
//       static constexpr auto rules() {   // optional: what no single param can say
//         using P = BankedSramParams;
//         return rules_of(rule<&P::capacity>("`capacity` must be a whole number of bytes in every bank",
//                                            [](const P& p) { return p.capacity.value % p.banks == 0; }));
//       }
//     };
//
// The member's name is the YAML key and the column; its type carries the unit; its initializer is the default; its line
// is meaning and range. A param may be a described struct itself: a group, such as `scratchpad: {banks: 16}`.
// A member without a line, a line given twice and an event without a cost key do not compile.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace archsim {

namespace detail {

template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

/// Converts to anything: counts how many initializers an aggregate takes. An optional is made from what it holds.
struct AnyValue {
  template <class T>
  requires(!kIsOptional<T>) operator T() const;
};

template <class T, std::size_t... I>
constexpr bool takes_initializers(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), AnyValue{})...}; };
}

/// An aggregate has N members if it takes N initializers and no more.
template <class T, std::size_t N>
constexpr bool has_members() {
  return takes_initializers<T>(std::make_index_sequence<N>{}) &&
         !takes_initializers<T>(std::make_index_sequence<N + 1>{});
}

template <auto Member>
constexpr std::string_view member_name() {
  std::string_view text = __PRETTY_FUNCTION__;  // [... Member = &archsim::BankedSramParams::capacity; ...]
  text = text.substr(text.find("Member = "));
  text = text.substr(0, text.find_first_of("];"));
  return text.substr(text.rfind("::") + 2);
}

template <class M>
struct MemberPointer;
template <class C, class T>
struct MemberPointer<T C::*> {
  using Owner = C;
  using Type = T;
};

/// What a range bounds: the value itself, or the values inside a container.
template <class T>
struct Bounded {
  using Type = T;
};
template <class T>
struct Bounded<std::optional<T>> : Bounded<T> {};
template <class T>
struct Bounded<std::vector<T>> : Bounded<T> {};
template <class K, class T>
struct Bounded<std::map<K, T>> : Bounded<T> {};

/// Bounds only where there can be some, so that tables stay constant expressions.
struct NoBounds {};
template <class T>
using Bounds =
    std::conditional_t<std::is_trivially_copyable_v<T> && !std::is_enum_v<T>, std::optional<std::pair<T, T>>, NoBounds>;

/// Types whose values may be a power of two.
template <class T>
inline constexpr bool kHasPowers = std::is_unsigned_v<T> && !std::is_same_v<T, bool>;
template <class T>
requires requires { typename T::Rep; }
inline constexpr bool kHasPowers<T> = std::is_unsigned_v<typename T::Rep>;

}  // namespace detail

/// What all lines have: the member, its name and its meaning.
template <auto Member>
struct Line {
  using Owner = typename detail::MemberPointer<decltype(Member)>::Owner;
  using Type = typename detail::MemberPointer<decltype(Member)>::Type;
  static constexpr auto kMember = Member;
  static constexpr std::string_view kName = detail::member_name<Member>();
  std::string_view doc;
};

template <auto Member>
struct ParamLine : Line<Member> {
  using Type = typename Line<Member>::Type;
  using Bound = typename detail::Bounded<Type>::Type;
  detail::Bounds<Bound> range = {};
  bool must_be_power_of_two = false;
  bool must_not_be_empty = false;

  /// Both ends are allowed. For a list or map: each of its values.
  constexpr ParamLine between(Bound low, Bound high) const {
    ParamLine line = *this;
    line.range.emplace(low, high);
    return line;
  }
  constexpr ParamLine power_of_two() const {
    static_assert(detail::kHasPowers<Bound>, "only whole numbers and quantities have powers");
    ParamLine line = *this;
    line.must_be_power_of_two = true;
    return line;
  }
  /// For a list, map or text.
  constexpr ParamLine not_empty() const {
    ParamLine line = *this;
    line.must_not_be_empty = true;
    return line;
  }
};

template <auto Member>
struct StatLine : Line<Member> {};

template <auto Member>
struct EventLine : Line<Member> {
  std::string_view cost_key;  // of the technology file
};

template <auto Member>
constexpr ParamLine<Member> param(std::string_view doc) {
  return {{doc}};
}

template <auto Member>
constexpr StatLine<Member> stat(std::string_view doc) {
  return {{doc}};
}

/// `cost_key` names what one event costs in the technology file, such as "mac.int8".
template <auto Member>
constexpr EventLine<Member> event(std::string_view doc, std::string_view cost_key) {
  if (cost_key.empty()) throw "an event needs a cost key";  // in a constant expression: does not compile
  return {{doc}, cost_key};
}

/// The lines of all members of one struct, in the order of declaration.
template <class First, class... Rest>
constexpr auto fields_of(First first, Rest... rest) {
  using Owner = typename First::Owner;
  static_assert((std::is_same_v<Owner, typename Rest::Owner> && ...), "a line of another struct");
  static_assert(detail::has_members<Owner, 1 + sizeof...(Rest)>(), "a member has no line in fields()");
  constexpr std::array kNames{First::kName, Rest::kName...};
  constexpr bool kOnceEach = [&] {
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (kNames[i] == kNames[j]) return false;
      }
    }
    return true;
  }();
  static_assert(kOnceEach, "a member has two lines in fields()");
  return std::tuple(first, rest...);
}

/// Calls `visit(line)` for every line of the table of `T`.
template <class T, class Visit>
void for_each_line(Visit visit) {
  constexpr auto kFields = T::fields();
  [&]<std::size_t... I>(std::index_sequence<I...>) { (visit(std::get<I>(kFields)), ...); }
  (std::make_index_sequence<std::tuple_size_v<decltype(kFields)>>{});
}

/// What must hold among several params.
template <class P>
struct Rule {
  std::string_view text;  // what must hold, as a sentence
  bool (*holds)(const P&);
  std::string_view about;  // the param that the user is pointed to
};

/// `Member` is the param that the user is pointed to when the rule is broken.
template <auto Member>
constexpr auto rule(std::string_view text, bool (*holds)(const typename Line<Member>::Owner&)) {
  return Rule<typename Line<Member>::Owner>{text, holds, Line<Member>::kName};
}

template <class... Rules>
constexpr auto rules_of(Rules... rules) {
  return std::array{rules...};
}

/// A struct with a table.
template <class T>
concept Described = std::is_class_v<T> && requires {
  T::fields();
};

template <class T>
concept HasRules = requires {
  T::rules();
};

}  // namespace archsim
