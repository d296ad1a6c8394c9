// A divisor that is a power of two: shifts and masks instead of a division, which costs tens of cycles.
#pragma once

#include <bit>
#include <cstdint>

namespace archsim {

class PowerOfTwo {
 public:
  /// `value` is one.
  explicit constexpr PowerOfTwo(std::uint64_t value) : shift_(static_cast<unsigned>(std::countr_zero(value))) {}

  constexpr std::uint64_t value() const { return std::uint64_t{1} << shift_; }
  constexpr std::uint64_t quotient(std::uint64_t dividend) const { return dividend >> shift_; }
  constexpr std::uint64_t remainder(std::uint64_t dividend) const { return dividend & (value() - 1); }
  constexpr std::uint64_t ceil(std::uint64_t dividend) const { return (dividend + value() - 1) >> shift_; }

 private:
  unsigned shift_;
};

}  // namespace archsim
