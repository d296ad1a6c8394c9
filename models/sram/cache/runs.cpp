#include "models/sram/cache/runs.h"

namespace archsim {
namespace {

std::vector<LineRange> joined(const std::vector<LineRange>& ranges, std::uint64_t largest) {
  std::vector<LineRange> joined;
  for (const LineRange& range : ranges) {
    if (!joined.empty()) {
      LineRange& last = joined.back();
      if (last.first + last.bytes == range.first && last.bytes + range.bytes <= largest) {
        last.bytes += range.bytes;
        last.lines += range.lines;
        continue;
      }
    }
    joined.push_back(range);
  }
  return joined;
}

/// Whether `row` is the run's next row.
bool continues(const LineRun& run, const LineRange& row, std::uint64_t largest) {
  if (row.bytes != run.row_bytes || run.bytes() + row.bytes > largest) return false;
  const std::uint64_t last = run.first + (run.rows - 1) * run.pitch;
  if (row.first < last + run.row_bytes) return false;
  return run.rows == 1 || row.first - last == run.pitch;
}

}  // namespace

std::vector<LineRun> runs_of(const std::vector<LineRange>& ranges, std::uint64_t largest, RowsOfRuns rows) {
  std::vector<LineRun> runs;
  for (const LineRange& row : joined(ranges, largest)) {
    if (rows == RowsOfRuns::many && !runs.empty() && continues(runs.back(), row, largest)) {
      LineRun& run = runs.back();
      run.pitch = run.rows == 1 ? row.first - run.first : run.pitch;
      ++run.rows;
      run.lines += row.lines;
    } else {
      runs.push_back({.first = row.first, .row_bytes = row.bytes, .lines = row.lines});
    }
  }
  return runs;
}

}  // namespace archsim
