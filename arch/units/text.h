// Quantities as people write them: `256 KiB`, `1.2 GHz`, `2 cycles`, `51.2 GB/s`, `10 us`.
//
// KiB is 1024 and kB is 1000. A bare number is refused, the whole text must be read, and a quantity that counts whole
// units (bytes, cycles, picoseconds, hertz) must come out whole: `1.5 MiB` is a number of bytes, `1.5 B` is not.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arch/units/quantity.h"

namespace archsim {

/// A value, or why the text is none: `error` continues the sentence "`256` is no number of bytes: ".
template <class T>
struct Parsed {
  std::optional<T> value;
  std::string error = {};

  explicit operator bool() const { return value.has_value(); }
  static Parsed failure(std::string why) { return {std::nullopt, std::move(why)}; }
};

/// How quantities of one kind are written, for messages and help.
struct UnitText {
  std::string_view quantity;            // "bytes"
  std::string_view example;             // "256 KiB"
  std::vector<std::string_view> units;  // smallest first
};

template <class Q>
struct QuantityText;

// The text that show() gives is read back as exactly the same value.
#define ARCHSIM_QUANTITY_TEXT(Q)                   \
  template <>                                      \
  struct QuantityText<Q> {                         \
    static Parsed<Q> parse(std::string_view text); \
    static const UnitText& units();                \
  };                                               \
  std::string show(Q quantity)

ARCHSIM_QUANTITY_TEXT(Bytes);
ARCHSIM_QUANTITY_TEXT(Cycles);
ARCHSIM_QUANTITY_TEXT(Time);
ARCHSIM_QUANTITY_TEXT(Frequency);
ARCHSIM_QUANTITY_TEXT(Bandwidth);
ARCHSIM_QUANTITY_TEXT(Energy);
ARCHSIM_QUANTITY_TEXT(Power);
ARCHSIM_QUANTITY_TEXT(Area);
#undef ARCHSIM_QUANTITY_TEXT

template <class Q>
Parsed<Q> parse(std::string_view text) {
  return QuantityText<Q>::parse(text);
}

template <class T>
concept IsQuantity = requires {
  QuantityText<T>::units();
};

}  // namespace archsim
