#include "arch/units/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>

namespace archsim {
namespace {

/// One unit: `factor` x 10^`exponent` of the quantity's base.
struct Unit {
  std::string_view name;
  std::uint64_t factor;
  int exponent;
  bool shown = true;  // whether show() chooses it
};

constexpr std::uint64_t kKi = 1024;
constexpr std::array kByteUnits = {Unit{"B", 1, 0},
                                   Unit{"kB", 1, 3, false},
                                   Unit{"KiB", kKi, 0},
                                   Unit{"MB", 1, 6, false},
                                   Unit{"MiB", kKi* kKi, 0},
                                   Unit{"GB", 1, 9, false},
                                   Unit{"GiB", kKi* kKi* kKi, 0},
                                   Unit{"TB", 1, 12, false},
                                   Unit{"TiB", kKi* kKi* kKi* kKi, 0}};
constexpr std::array kCycleUnits = {Unit{"cycle", 1, 0, false}, Unit{"cycles", 1, 0}};
constexpr std::array kTimeUnits = {Unit{"ps", 1, 0}, Unit{"ns", 1, 3}, Unit{"us", 1, 6}, Unit{"ms", 1, 9},
                                   Unit{"s", 1, 12}};
constexpr std::array kFrequencyUnits = {Unit{"Hz", 1, 0}, Unit{"kHz", 1, 3}, Unit{"MHz", 1, 6}, Unit{"GHz", 1, 9}};
constexpr std::array kBandwidthUnits = {Unit{"B/s", 1, 0},
                                        Unit{"kB/s", 1, 3},
                                        Unit{"KiB/s", kKi, 0, false},
                                        Unit{"MB/s", 1, 6},
                                        Unit{"MiB/s", kKi* kKi, 0, false},
                                        Unit{"GB/s", 1, 9},
                                        Unit{"GiB/s", kKi* kKi* kKi, 0, false},
                                        Unit{"TB/s", 1, 12}};
constexpr std::array kEnergyUnits = {Unit{"aJ", 1, -18}, Unit{"fJ", 1, -15}, Unit{"pJ", 1, -12}, Unit{"nJ", 1, -9},
                                     Unit{"uJ", 1, -6},  Unit{"mJ", 1, -3},  Unit{"J", 1, 0},    Unit{"kJ", 1, 3}};
constexpr std::array kPowerUnits = {Unit{"pW", 1, -12}, Unit{"nW", 1, -9}, Unit{"uW", 1, -6},
                                    Unit{"mW", 1, -3},  Unit{"W", 1, 0},   Unit{"kW", 1, 3}};
constexpr std::array kAreaUnits = {Unit{"nm2", 1, -18}, Unit{"um2", 1, -12}, Unit{"mm2", 1, -6}, Unit{"m2", 1, 0}};

struct Numeral {
  std::string_view number;  // digits with at most one point
  std::string_view unit;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The number and the unit of `text`, or why it has not that form.
Parsed<Numeral> split(std::string_view text) {
  std::size_t end = 0;
  int points = 0;
  while (end < text.size() && (is_digit(text[end]) || text[end] == '.')) points += text[end++] == '.';
  const std::string_view number = text.substr(0, end);
  if (number.empty() || !is_digit(number.front()) || !is_digit(number.back()) || points > 1) {
    return Parsed<Numeral>::failure("it does not start with a number");
  }
  while (end < text.size() && text[end] == ' ') ++end;
  if (end == text.size()) return Parsed<Numeral>::failure("it has no unit");
  return {Numeral{number, text.substr(end)}};
}

Parsed<const Unit*> find_unit(std::string_view name, std::span<const Unit> units) {
  const auto found = std::find_if(units.begin(), units.end(), [&](const Unit& unit) { return unit.name == name; });
  if (found == units.end()) return Parsed<const Unit*>::failure("unknown unit `" + std::string(name) + "`");
  return {&*found};
}

/// `number` x factor x 10^exponent as a whole number.
Parsed<std::uint64_t> whole(std::string_view number, const Unit& unit) {
  using Result = Parsed<std::uint64_t>;
  constexpr Wide kMost = std::numeric_limits<std::uint64_t>::max();
  Wide digits = 0;
  Wide divisor = 1;
  bool after_point = false;
  while (number.find('.') != std::string_view::npos && number.back() == '0') number.remove_suffix(1);
  for (const char c : number) {
    if (c == '.') {
      after_point = true;
      continue;
    }
    digits = digits * 10 + static_cast<unsigned>(c - '0');
    if (after_point) divisor *= 10;
    if (digits > kMost || divisor > kMost) return Result::failure("it has too many digits");
  }
  Wide factor = unit.factor;
  for (int i = 0; i < unit.exponent; ++i) factor *= 10;
  const Wide product = digits * factor;  // both below 2^64
  if (product % divisor != 0) return Result::failure("it is not a whole number");
  if (product / divisor > kMost) return Result::failure("it is too large");
  return {static_cast<std::uint64_t>(product / divisor)};
}

/// `number` x factor x 10^exponent, rounded once.
Parsed<double> real(std::string_view number, const Unit& unit) {
  const std::string text = std::string(number) + "e" + std::to_string(unit.exponent);
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  const double scaled = value * static_cast<double>(unit.factor);
  if (result.ec != std::errc() || !std::isfinite(scaled)) {
    return Parsed<double>::failure("it is too large or too small");
  }
  return {scaled};
}

template <class Q>
Parsed<Q> parse_with(std::string_view text, std::span<const Unit> units) {
  const auto numeral = split(text);
  if (!numeral) return Parsed<Q>::failure(numeral.error);
  const auto unit = find_unit(numeral.value->unit, units);
  if (!unit) return Parsed<Q>::failure(unit.error);
  if constexpr (std::integral<typename Q::Rep>) {
    const auto value = whole(numeral.value->number, **unit.value);
    return value ? Parsed<Q>{Q(*value.value)} : Parsed<Q>::failure(value.error);
  } else {
    const auto value = real(numeral.value->number, **unit.value);
    return value ? Parsed<Q>{Q(*value.value)} : Parsed<Q>::failure(value.error);
  }
}

/// Decimal digits `digits` with the point `places` from the right, without needless zeros.
std::string with_point(std::string digits, int places) {
  if (places <= 0) return digits + std::string(static_cast<std::size_t>(-places), '0');
  const auto count = static_cast<std::size_t>(places);
  if (digits.size() <= count) digits.insert(0, count + 1 - digits.size(), '0');
  digits.insert(digits.size() - count, 1, '.');
  while (digits.back() == '0') digits.pop_back();
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

/// The value digits x 10^exponent in the largest unit of which it has at least one.
std::string show_decimal(const std::string& digits, int exponent, std::span<const Unit> units) {
  const int magnitude = exponent + static_cast<int>(digits.size()) - 1;
  const Unit* best = nullptr;
  for (const Unit& unit : units) {
    if (unit.shown && (best == nullptr || unit.exponent <= magnitude)) best = &unit;
  }
  return with_point(digits, best->exponent - exponent) + " " + std::string(best->name);
}

std::string show_real(double value, std::span<const Unit> units, std::string_view base) {
  if (value == 0) return "0 " + std::string(base);
  std::array<char, 64> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::abs(value), std::chars_format::scientific).ptr;
  std::string mantissa(buffer.data(), end);  // the shortest that reads back the same, such as 5.12e+10
  const auto e = mantissa.find('e');
  int exponent = std::stoi(mantissa.substr(e + 1));
  mantissa.resize(e);
  if (mantissa.size() > 1) {
    exponent -= static_cast<int>(mantissa.size()) - 2;
    mantissa.erase(1, 1);
  }
  return (value < 0 ? "-" : "") + show_decimal(mantissa, exponent, units);
}

std::string show_whole(std::uint64_t value, std::span<const Unit> units) {
  if (value == 0) return "0 " + std::string(units.front().name);
  return show_decimal(std::to_string(value), 0, units);
}

UnitText unit_text(std::string_view quantity, std::string_view example, std::span<const Unit> units) {
  UnitText text{quantity, example, {}};
  for (const Unit& unit : units) text.units.push_back(unit.name);
  return text;
}

}  // namespace

#define ARCHSIM_QUANTITY_TEXT(Q, units_, quantity, example)                                       \
  Parsed<Q> QuantityText<Q>::parse(std::string_view text) { return parse_with<Q>(text, units_); } \
  const UnitText& QuantityText<Q>::units() {                                                      \
    static const UnitText text = unit_text(quantity, example, units_);                            \
    return text;                                                                                  \
  }
ARCHSIM_QUANTITY_TEXT(Bytes, kByteUnits, "bytes", "256 KiB")
ARCHSIM_QUANTITY_TEXT(Cycles, kCycleUnits, "cycles", "2 cycles")
ARCHSIM_QUANTITY_TEXT(Time, kTimeUnits, "time", "10 us")
ARCHSIM_QUANTITY_TEXT(Frequency, kFrequencyUnits, "frequency", "1.2 GHz")
ARCHSIM_QUANTITY_TEXT(Bandwidth, kBandwidthUnits, "bandwidth", "51.2 GB/s")
ARCHSIM_QUANTITY_TEXT(Energy, kEnergyUnits, "energy", "0.5 pJ")
ARCHSIM_QUANTITY_TEXT(Power, kPowerUnits, "power", "15 mW")
ARCHSIM_QUANTITY_TEXT(Area, kAreaUnits, "area", "1.5 mm2")
#undef ARCHSIM_QUANTITY_TEXT

std::string show(Bytes bytes) {
  const Unit* best = &kByteUnits.front();
  for (const Unit& unit : kByteUnits) {
    if (unit.shown && bytes.value != 0 && bytes.value % unit.factor == 0) best = &unit;
  }
  return std::to_string(bytes.value / best->factor) + " " + std::string(best->name);
}
std::string show(Cycles cycles) { return std::to_string(cycles.value) + (cycles.value == 1 ? " cycle" : " cycles"); }
std::string show(Time time) { return show_whole(time.value, kTimeUnits); }
std::string show(Frequency frequency) { return show_whole(frequency.value, kFrequencyUnits); }
std::string show(Bandwidth bandwidth) { return show_real(bandwidth.value, kBandwidthUnits, "B/s"); }
std::string show(Energy energy) { return show_real(energy.value, kEnergyUnits, "J"); }
std::string show(Power power) { return show_real(power.value, kPowerUnits, "W"); }
std::string show(Area area) { return show_real(area.value, kAreaUnits, "m2"); }

}  // namespace archsim
