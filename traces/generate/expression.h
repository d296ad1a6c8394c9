// Numbers by expression, as workload files write them: `(image / patch)^2`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "arch/describe/diagnostic.h"

namespace archsim {

using Numbers = std::map<std::string, double, std::less<>>;

/// The largest magnitude up to which every integer is exact in a double.
constexpr std::int64_t kExactIntegers = std::int64_t{1} << 53;

/// The value of `text`, which stands at `where`; nothing, and an error, if it has none. Operators and functions are
/// muParser's: + - * / ^ ( ) < > == && || ?:, sqrt, min, max, and floor and ceil.
std::optional<double> evaluate(const std::string& text, const Location& where, const Numbers& numbers,
                               Diagnostics& out);

/// The same, and an error if the value is not a whole number from `low` to `high`.
std::optional<std::int64_t> evaluate_integer(const std::string& text, const Location& where, const Numbers& numbers,
                                             Diagnostics& out, std::int64_t low = -kExactIntegers,
                                             std::int64_t high = kExactIntegers);

}  // namespace archsim
