// Which local bytes a command reads and writes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "arch/program/command.h"

namespace archsim {

/// One operand in scratchpad or accumulator: planes x rows pieces of row_bytes.
struct LocalAccess {
  std::string_view operand;  // "local", "a", "source1", ...
  LocalAddress start;
  std::uint64_t row_bytes = 0;
  std::uint64_t rows = 1;
  std::uint64_t row_pitch = 0;
  std::uint64_t planes = 1;
  std::uint64_t plane_pitch = 0;
  bool reads = false;
  bool writes = false;

  /// From `start` to behind the last byte, with the gaps of the pitches; 0 if there is nothing to access.
  std::uint64_t extent() const;
};

/// The operands of a dma (a load in the load stream, a store in the store stream), matmul or vector command; nothing for
/// other commands. Rows of pitch 0 count as one.
std::vector<LocalAccess> local_accesses(const Command& command, Engine engine);

/// The bytes of one row of a dma as it lies locally.
std::uint64_t local_row_bytes(const Dma& dma);

/// How many values of each row of source `s` a vector command reads; 0 if its function has no such source.
std::uint32_t source_columns(const Vector& vector, std::size_t s);

}  // namespace archsim
