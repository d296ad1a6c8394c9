// What a program may touch: the capacities and address ranges that `check` and the functional executor hold it to.
#pragma once

#include <cstdint>
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

}  // namespace archsim
