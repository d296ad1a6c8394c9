// What a slice asks of the DRAM, in as few extents as its lines allow.
#pragma once

#include <cstdint>
#include <vector>

namespace archsim {

/// A part of the DRAM's region: `lines` of the cache lie in it, or in part.
struct LineRange {
  std::uint64_t first = 0, bytes = 0;  // an offset from the region's start
  std::uint64_t lines = 1;
};

/// Rows of equal length at one pitch; what one extent can say.
struct LineRun {
  std::uint64_t first = 0, row_bytes = 0, rows = 1, pitch = 0;
  std::uint64_t lines = 0;

  std::uint64_t bytes() const { return row_bytes * rows; }
};

enum class RowsOfRuns : std::uint8_t { one, many };

/// In the order of `ranges`: neighbours joined, then, if `many`, rows of one pitch; none longer than `largest` bytes.
std::vector<LineRun> runs_of(const std::vector<LineRange>& ranges, std::uint64_t largest, RowsOfRuns rows);

}  // namespace archsim
