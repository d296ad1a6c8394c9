// What blocks that execute commands must know of a sampled run: how often a command counts, and who is told of bytes that were
// moved once for several times.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "arch/machine/memory_map.h"
#include "arch/program/sampling.h"

namespace archsim {

class Replayed {
 public:
  /// `bytes`: more than were carried, between a block and a memory.
  using Told =
      std::function<void(const std::string& block, const std::string& memory, bool is_write, std::uint64_t bytes)>;

  Replayed(const Sampling& sampling, Told told) : sampling_(sampling), told_(std::move(told)) {}

  std::uint64_t weight(std::uint32_t op, std::uint64_t executed) const { return sampling_.weight(op, executed); }
  void moved(const std::string& block, const Region* memory, bool is_write, std::uint64_t bytes) const {
    if (memory != nullptr) told_(block, memory->block, is_write, bytes);
  }

 private:
  const Sampling& sampling_;
  Told told_;
};

/// Lets what was counted since `before` count `times` more. `Counts` is nothing but 64-bit counts.
template <class Counts>
void count_again(Counts& now, const Counts& before, std::uint64_t times) {
  using Numbers = std::array<std::uint64_t, sizeof(Counts) / sizeof(std::uint64_t)>;
  auto numbers = std::bit_cast<Numbers>(now);
  const auto then = std::bit_cast<Numbers>(before);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] += times * (numbers[i] - then[i]);
  now = std::bit_cast<Counts>(numbers);
}

}  // namespace archsim
