#pragma once

#include <cmath>
#include <cstdint>

#include "arch/units/quantity.h"

namespace archsim {

/// Rounding in the bound's sums is below one part in a billion.
inline Time rounded_down(double seconds) {
  return Time(
      static_cast<std::uint64_t>(std::floor(seconds * (1.0 - 1e-9) * static_cast<double>(kPicosecondsPerSecond))));
}

}  // namespace archsim
