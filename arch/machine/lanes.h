// One moment on nine machines at once: the machine as it is, and with each resource doubled in turn.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "arch/units/quantity.h"

namespace archsim {

/// What is doubled; also the names of `bound`. `compute`: MACs a processing element does in a cycle. `vector`: lanes. `sram`:
/// bytes that l2 and scratchpads move in a cycle. `dma`: bursts under way and port of an accelerator's DMA, with half its
/// set-up. `noc`: width of all links. `dram`: channels. `cpu`: clock. `launch`: half the host's launch, interrupt and fork-join.
enum class Doubling : std::uint8_t { none, compute, vector, sram, dma, noc, dram, cpu, launch };
constexpr std::size_t kDoublings = 9;
std::string_view name_of(Doubling doubling);

/// Picoseconds, by Doubling: a moment or a length. Every command of a run does arithmetic on these, so they are vectors of two.
class Lanes {
 public:
  using Pair = double __attribute__((vector_size(2 * sizeof(double))));
  static constexpr std::size_t kPairs = (kDoublings + 1) / 2;

  explicit Lanes(double all) {
    for (Pair& pair : pairs_) pair = Pair{all, all};
  }
  explicit Lanes(Time all) : Lanes(static_cast<double>(all.value)) {}

  double operator[](Doubling doubling) const {
    const auto lane = static_cast<std::size_t>(doubling);
    return pairs_[lane / 2][lane % 2];
  }
  void set(Doubling doubling, double value) {
    const auto lane = static_cast<std::size_t>(doubling);
    pairs_[lane / 2][lane % 2] = value;
  }
  /// The same with one lane set.
  Lanes with(Doubling doubling, double value) const {
    Lanes changed = *this;
    changed.set(doubling, value);
    return changed;
  }

  Lanes& operator+=(const Lanes& other) {
    for (std::size_t i = 0; i < kPairs; ++i) pairs_[i] += other.pairs_[i];
    return *this;
  }
  friend Lanes operator+(Lanes a, const Lanes& b) { return a += b; }
  friend Lanes operator-(Lanes a, const Lanes& b) {
    for (std::size_t i = 0; i < kPairs; ++i) a.pairs_[i] -= b.pairs_[i];
    return a;
  }
  friend Lanes operator*(Lanes a, double factor) {
    for (Pair& pair : a.pairs_) pair *= Pair{factor, factor};
    return a;
  }
  static Pair later(Pair a, Pair b) { return a < b ? b : a; }
  static Pair earlier(Pair a, Pair b) { return b < a ? b : a; }
  friend Lanes later(Lanes a, const Lanes& b) {
    for (std::size_t i = 0; i < kPairs; ++i) a.pairs_[i] = later(a.pairs_[i], b.pairs_[i]);
    return a;
  }
  friend Lanes earlier(Lanes a, const Lanes& b) {
    for (std::size_t i = 0; i < kPairs; ++i) a.pairs_[i] = earlier(a.pairs_[i], b.pairs_[i]);
    return a;
  }

  Pair& pair(std::size_t index) { return pairs_[index]; }
  Pair pair(std::size_t index) const { return pairs_[index]; }

 private:
  std::array<Pair, kPairs> pairs_;
};

}  // namespace archsim
