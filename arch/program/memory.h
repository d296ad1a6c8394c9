// What a program may touch: the capacities and address ranges that `check` and the functional executor hold it to.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace archsim {

/// A memory in the one address space of the SoC.
struct MemoryRange {
  std::string name;
  std::uint64_t base = 0;
  std::uint64_t bytes = 0;
  bool contains(std::uint64_t address, std::uint64_t count) const {
    return address >= base && count <= bytes && address - base <= bytes - count;
  }
};

struct LocalCapacity {
  std::string name;  // of the accelerator
  std::uint64_t scratchpad = 0;
  std::uint64_t accumulator = 0;
};

struct ProgramLimits {
  std::vector<MemoryRange> memories;
  std::vector<LocalCapacity> accelerators;  // in the order of Program::accelerators
};

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
