// The enumerators of a scoped enumeration are the names in files: nothing repeats them.
//
// Limit: enumerators count from 0 without gaps, 128 at most.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace archsim {

namespace detail {

/// The name of an enumerator, or empty if no enumerator has this value. Both compilers print the value of a template
/// argument as `archsim::Dtype::int8` if it has a name and as `(archsim::Dtype)7` if not.
template <auto Value>
constexpr std::string_view enumerator_name() {
  std::string_view text = __PRETTY_FUNCTION__;
  text = text.substr(text.find("Value = ") + std::string_view("Value = ").size());
  text = text.substr(0, text.find_first_of("];"));
  if (text.front() == '(') return {};
  return text.substr(text.rfind("::") + 2);
}

template <class E, std::size_t N = 0>
constexpr std::size_t enumerator_count() {
  static_assert(N <= 128, "too many enumerators");
  if constexpr (enumerator_name<static_cast<E>(N)>().empty()) {
    return N;
  } else {
    return enumerator_count<E, N + 1>();
  }
}

template <class E, std::size_t... I>
constexpr auto enumerator_names(std::index_sequence<I...>) {
  return std::array<std::string_view, sizeof...(I)>{enumerator_name<static_cast<E>(I)>()...};
}

template <class E>
inline constexpr auto kEnumeratorNames = enumerator_names<E>(std::make_index_sequence<enumerator_count<E>()>());

}  // namespace detail

template <class E>
concept ScopedEnum = std::is_enum_v<E> && !std::is_convertible_v<E, std::underlying_type_t<E>>;

/// Every name of `E`, in the order of the enumerators.
template <ScopedEnum E>
constexpr const auto& enum_names() {
  return detail::kEnumeratorNames<E>;
}

/// The name of `value`; empty for a value without one.
template <ScopedEnum E>
constexpr std::string_view enum_name(E value) {
  const auto index = static_cast<std::size_t>(value);
  return index < enum_names<E>().size() ? enum_names<E>()[index] : std::string_view();
}

template <ScopedEnum E>
constexpr std::optional<E> enum_from(std::string_view name) {
  for (std::size_t i = 0; i < enum_names<E>().size(); ++i) {
    if (enum_names<E>()[i] == name) return static_cast<E>(i);
  }
  return {};
}

/// The same names as strings, for near_name.h.
template <ScopedEnum E>
std::vector<std::string> enum_name_list() {
  return {enum_names<E>().begin(), enum_names<E>().end()};
}

}  // namespace archsim
