// What each command does to bytes: the meaning of the command set, without time or order.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

#include "arch/program/check/limits.h"
#include "arch/program/command.h"
#include "arch/program/datapath/sparse_memory.h"

namespace archsim {

/// An access outside a memory: thrown and caught within the executor, which reports it.
struct MachineFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The address space of the SoC: storage that faults outside its ranges.
class AddressSpace {
 public:
  explicit AddressSpace(std::vector<MemoryRange> ranges) : ranges_(std::move(ranges)) {}
  void read(std::uint64_t address, std::span<std::byte> into) const;
  void write(std::uint64_t address, std::span<const std::byte> from);

 private:
  void check(std::uint64_t address, std::size_t count) const;
  std::vector<MemoryRange> ranges_;
  SparseMemory bytes_;
};

/// Scratchpad and accumulator of one accelerator; 0xFF, which is NaN, at the start.
class LocalMemories {
 public:
  explicit LocalMemories(const LocalCapacity& capacity)
      : scratchpad_(capacity.scratchpad, std::byte{0xFF}), accumulator_(capacity.accumulator, std::byte{0xFF}) {}

  /// The `count` bytes from `address` on; faults outside.
  std::span<std::byte> at(LocalAddress address, std::uint64_t count);

 private:
  std::vector<std::byte> scratchpad_, accumulator_;
};

/// Executes a dma, matmul or vector command of `engine`'s stream, its registers resolved. Faults on bytes outside.
void execute(const Command& command, Engine engine, LocalMemories& local, AddressSpace& memory);

}  // namespace archsim
