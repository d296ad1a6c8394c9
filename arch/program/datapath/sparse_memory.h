// Storage of a large address space.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

namespace archsim {

/// Byte-addressed storage that takes room only where it was written. Bytes that nothing wrote are 0xFF: NaN in every
/// floating-point type, so that a missing transfer shows in the numbers.
class SparseMemory {
 public:
  void read(std::uint64_t address, std::span<std::byte> into) const;
  void write(std::uint64_t address, std::span<const std::byte> from);

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  std::map<std::uint64_t, std::array<std::byte, kPageBytes>> pages_;  // by address / kPageBytes
};

}  // namespace archsim
