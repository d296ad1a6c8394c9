// Strong quantities: a number that knows its unit at compile time.
//
// A quantity has no default constructor, so every zero is written down, and two units never mix by accident.
#pragma once

#include <compare>
#include <concepts>
#include <cstdint>

namespace archsim {

template <class Tag, class Representation>
struct Quantity {
  using Rep = Representation;
  Rep value;

  Quantity() = delete;
  constexpr explicit Quantity(Rep number) : value(number) {}
  static constexpr Quantity zero() { return Quantity(Rep{0}); }

  friend constexpr auto operator<=>(Quantity, Quantity) = default;
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.value + b.value); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.value - b.value); }
  friend constexpr Quantity operator*(Quantity a, Rep factor) { return Quantity(a.value * factor); }
  friend constexpr Quantity operator/(Quantity a, Rep divisor) { return Quantity(a.value / divisor); }
  friend constexpr Rep operator/(Quantity a, Quantity b) { return a.value / b.value; }
  friend constexpr Quantity operator%(Quantity a, Quantity b) requires std::integral<Rep> {
    return Quantity(a.value % b.value);
  }
  constexpr Quantity& operator+=(Quantity b) {
    value += b.value;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity b) {
    value -= b.value;
    return *this;
  }
};

using Bytes = Quantity<struct BytesTag, std::uint64_t>;
using Cycles = Quantity<struct CyclesTag, std::uint64_t>;
using Time = Quantity<struct TimeTag, std::uint64_t>;            // picoseconds, SystemC's resolution
using Frequency = Quantity<struct FrequencyTag, std::uint64_t>;  // hertz
using Bandwidth = Quantity<struct BandwidthTag, double>;         // bytes per second
using Energy = Quantity<struct EnergyTag, double>;               // joules
using Power = Quantity<struct PowerTag, double>;                 // watts
using Area = Quantity<struct AreaTag, double>;                   // square metres

/// Products of two 64-bit numbers.
__extension__ typedef unsigned __int128 Wide;

constexpr std::uint64_t kPicosecondsPerSecond = 1'000'000'000'000;

constexpr double seconds(Time t) { return static_cast<double>(t.value) * 1e-12; }

constexpr std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }
constexpr std::uint64_t ceil_div(Bytes a, Bytes b) { return ceil_div(a.value, b.value); }
constexpr std::uint64_t round_up(std::uint64_t a, std::uint64_t multiple) { return ceil_div(a, multiple) * multiple; }

/// The time of edge number `edge` of a clock that starts at 0. Computed from the index, so it does not drift:
/// 1.2 GHz is never taken for a period of 833 ps. Exact to half a picosecond.
constexpr Time edge_time(Frequency clock, Cycles edge) {
  const auto whole = edge.value / clock.value;
  const auto rest = edge.value % clock.value;
  const auto scaled = static_cast<Wide>(rest) * kPicosecondsPerSecond + clock.value / 2;
  return Time(whole * kPicosecondsPerSecond + static_cast<std::uint64_t>(scaled / clock.value));
}

/// The index of the first edge at or after `t`.
constexpr Cycles next_edge(Frequency clock, Time t) {
  const auto scaled = static_cast<Wide>(t.value) * clock.value;
  auto edge = static_cast<std::uint64_t>(scaled / kPicosecondsPerSecond);
  while (edge_time(clock, Cycles(edge)) < t) ++edge;
  while (edge > 0 && edge_time(clock, Cycles(edge - 1)) >= t) --edge;
  return Cycles(edge);
}

inline namespace literals {
constexpr Bytes operator""_B(unsigned long long v) { return Bytes(v); }
constexpr Bytes operator""_KiB(unsigned long long v) { return Bytes(v << 10); }
constexpr Bytes operator""_MiB(unsigned long long v) { return Bytes(v << 20); }
constexpr Bytes operator""_GiB(unsigned long long v) { return Bytes(v << 30); }
constexpr Cycles operator""_cycles(unsigned long long v) { return Cycles(v); }
constexpr Time operator""_ps(unsigned long long v) { return Time(v); }
constexpr Time operator""_ns(unsigned long long v) { return Time(v * 1000); }
constexpr Time operator""_us(unsigned long long v) { return Time(v * 1'000'000); }
constexpr Time operator""_ms(unsigned long long v) { return Time(v * 1'000'000'000); }
constexpr Frequency operator""_MHz(unsigned long long v) { return Frequency(v * 1'000'000); }
constexpr Frequency operator""_GHz(unsigned long long v) { return Frequency(v * 1'000'000'000); }
}  // namespace literals

}  // namespace archsim
