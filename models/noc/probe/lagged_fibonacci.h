// Knuth's lagged Fibonacci generators (The Art of Computer Programming 2, section 3.6 and exercise 3.6-15, as of 2002): integers below
// 2^30 with x(n) = x(n-100) - x(n-37), and fractions with u(n) = u(n-100) + u(n-37) mod 1; of 1009 numbers the first 100 are used.
// BookSim 2 draws from them, so the same seed gives the same packets at the same times.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace archsim {

struct LaggedIntegers {
  using Number = std::uint32_t;
  static constexpr Number kModulus = Number{1} << 30;
  static Number combine(Number a, Number b) { return (a - b) & (kModulus - 1); }
  static Number first(std::uint32_t seed) { return (seed + 2) & (kModulus - 2); }
  /// A cyclic shift of 29 bits.
  static Number shifted(Number x) { return 2 * x >= kModulus ? 2 * x - (kModulus - 2) : 2 * x; }
  static constexpr Number kUnit = 1;
};

struct LaggedFractions {
  using Number = double;
  static constexpr Number kUnit = 1.0 / (std::uint64_t{1} << 52);
  static Number combine(Number a, Number b) { return a + b - static_cast<double>(static_cast<std::int32_t>(a + b)); }
  static Number first(std::uint32_t seed) { return 2.0 * kUnit * ((seed & 0x3FFFFFFF) + 2.0); }
  /// A cyclic shift of 51 bits.
  static Number shifted(Number x) { return 2.0 * x >= 1.0 ? 2.0 * x - (1.0 - 2.0 * kUnit) : 2.0 * x; }
};

template <class Kind>
class LaggedFibonacci {
 public:
  using Number = typename Kind::Number;

  explicit LaggedFibonacci(std::uint32_t seed);
  Number next() {
    if (used_ == kLong) {
      run(kPeriod);
      used_ = 0;
    }
    return state_[used_++];
  }

 private:
  static constexpr std::size_t kLong = 100, kShort = 37, kPeriod = 1009;
  static constexpr unsigned kSeparation = 70;  // streams of different seeds are 2^70 numbers apart
  using Polynomial = std::array<Number, 2 * kLong>;

  static void square(Polynomial& x);
  static void multiply_by_z(Polynomial& x);
  /// Lets `count` numbers go by.
  void run(std::size_t count);
  void run_hundred();

  std::array<Number, kLong> state_{};  // state_[i]: the number i ahead of the last run
  std::size_t used_ = 0;
};

template <class Kind>
void LaggedFibonacci<Kind>::square(Polynomial& x) {
  for (std::size_t i = kLong - 1; i > 0; --i) {
    x[2 * i] = x[i];
    x[2 * i - 1] = 0;
  }
  for (std::size_t i = 2 * kLong - 2; i >= kLong; --i) {
    Number& near = x[i - (kLong - kShort)];
    near = Kind::combine(near, x[i]);
    x[i - kLong] = Kind::combine(x[i - kLong], x[i]);
  }
}

template <class Kind>
void LaggedFibonacci<Kind>::multiply_by_z(Polynomial& x) {
  for (std::size_t i = kLong; i > 0; --i) x[i] = x[i - 1];
  x[0] = x[kLong];
  x[kShort] = Kind::combine(x[kShort], x[kLong]);
}

/// In whole vectors and a rest, so that compilers vectorize it: three quarters of a lightly loaded network's time were here.
template <class Kind, std::size_t N>
void combine_each(typename Kind::Number* __restrict to, const typename Kind::Number* __restrict from) {
  constexpr std::size_t kWhole = N / 4 * 4;
  for (std::size_t i = 0; i < kWhole; ++i) to[i] = Kind::combine(to[i], from[i]);
  for (std::size_t i = kWhole; i < N; ++i) to[i] = Kind::combine(to[i], from[i]);
}

template <class Kind>
void LaggedFibonacci<Kind>::run_hundred() {
  combine_each<Kind, kShort>(state_.data(), state_.data() + kLong - kShort);
  combine_each<Kind, kShort>(state_.data() + kShort, state_.data());
  combine_each<Kind, kLong - 2 * kShort>(state_.data() + 2 * kShort, state_.data() + kShort);
}

template <class Kind>
void LaggedFibonacci<Kind>::run(std::size_t count) {
  for (; count >= kLong; count -= kLong) run_hundred();
  if (count == 0) return;
  const std::array<Number, kLong> before = state_;
  run_hundred();
  std::copy_backward(state_.begin(), state_.begin() + count, state_.end());
  std::copy(before.begin() + count, before.end(), state_.begin());
}

template <class Kind>
LaggedFibonacci<Kind>::LaggedFibonacci(std::uint32_t seed) {
  Polynomial x{};
  Number next = Kind::first(seed);
  for (std::size_t i = 0; i < kLong; ++i) {
    x[i] = next;
    next = Kind::shifted(next);
  }
  x[1] += Kind::kUnit;
  std::uint32_t left = seed & 0x3FFFFFFF;
  for (unsigned squarings = kSeparation - 1; squarings > 0;) {
    square(x);
    if (left % 2 == 1) multiply_by_z(x);
    if (left > 0) {
      left /= 2;
    } else {
      --squarings;
    }
  }
  for (std::size_t i = 0; i < kLong; ++i) state_[(i + kLong - kShort) % kLong] = x[i];
  for (unsigned i = 0; i < 10; ++i) run(2 * kLong - 1);
}

}  // namespace archsim
