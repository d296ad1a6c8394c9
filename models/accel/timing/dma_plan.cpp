#include "models/accel/timing/dma_plan.h"

#include <algorithm>

namespace archsim {
namespace {

/// The rows of one plane, or of all planes, as one regular pattern.
struct Pattern {
  std::uint64_t base = 0, row_bytes = 0, rows = 1;
  std::int64_t pitch = 0;
};

void cut_row(std::uint64_t base, std::uint64_t bytes, std::uint64_t largest, std::vector<Piece>& pieces) {
  for (std::uint64_t done = 0; done < bytes; done += largest) {
    pieces.push_back({.base = base + done, .row_bytes = std::min(largest, bytes - done)});
  }
}

void cut(Pattern pattern, std::uint64_t largest, std::vector<Piece>& pieces) {
  if (pattern.rows > 1 && pattern.pitch == static_cast<std::int64_t>(pattern.row_bytes)) {
    pattern = {.base = pattern.base, .row_bytes = pattern.row_bytes * pattern.rows};
  }
  const std::uint64_t rows_in_piece = largest / pattern.row_bytes;
  const std::uint64_t step = std::max<std::uint64_t>(rows_in_piece, 1);
  for (std::uint64_t row = 0; row < pattern.rows; row += step) {
    const std::uint64_t base = pattern.base + row * static_cast<std::uint64_t>(pattern.pitch);
    if (rows_in_piece == 0) {
      cut_row(base, pattern.row_bytes, largest, pieces);
    } else {
      pieces.push_back({.base = base,
                        .row_bytes = pattern.row_bytes,
                        .rows = std::min(step, pattern.rows - row),
                        .pitch = pattern.pitch});
    }
  }
}

}  // namespace

std::uint64_t local_bytes_per_memory_byte(Convert convert) {
  switch (convert) {
    case Convert::none:
      return 1;
    case Convert::bf16_to_fp32:
    case Convert::fp32_to_bf16:
      return 2;
    case Convert::requantize:
      return 4;
  }
  return 1;
}

RowBeats row_beats(const DmaGeometry& dma, std::uint64_t row_bytes, Convert convert) {
  const std::uint64_t ratio = local_bytes_per_memory_byte(convert);
  RowBeats row;
  row.whole_bursts = row_bytes / dma.burst_bytes;
  row.whole_beats = ceil_div(dma.burst_bytes * ratio, dma.port_bytes);
  row.rest_bytes = row_bytes % dma.burst_bytes;
  row.rest_beats = ceil_div(row.rest_bytes * ratio, dma.port_bytes);
  return row;
}

void DmaPlan::plan(const DmaGeometry& dma, const Dma& command) {
  pieces.clear();
  const bool repeats = command.memory_row_pitch == 0 && command.rows > 1;
  const std::uint64_t memory_rows = repeats ? 1 : command.rows;
  Pattern plane{.base = command.memory_address,
                .row_bytes = command.row_bytes,
                .rows = memory_rows,
                .pitch = command.memory_row_pitch};
  const auto plane_bytes = static_cast<std::int64_t>(memory_rows * command.row_bytes);
  const bool is_dense = memory_rows == 1 || command.memory_row_pitch == static_cast<std::int64_t>(command.row_bytes);
  if (command.planes > 1 && is_dense && command.memory_plane_pitch == plane_bytes) {
    plane.row_bytes = static_cast<std::uint64_t>(plane_bytes) * command.planes;
    plane.rows = 1;
    cut(plane, dma.largest_piece, pieces);
  } else {
    for (std::uint32_t i = 0; i < command.planes; ++i) {
      plane.base = command.memory_address + i * static_cast<std::uint64_t>(command.memory_plane_pitch);
      cut(plane, dma.largest_piece, pieces);
    }
  }
  memory_bytes = command.planes * memory_rows * command.row_bytes;
  const std::uint64_t local_row = command.row_bytes * local_bytes_per_memory_byte(command.convert);
  local_bytes = static_cast<std::uint64_t>(command.planes) * command.rows * local_row;
  repeat_beats = repeats ? command.planes * (command.rows - 1) * ceil_div(local_row, dma.port_bytes) : 0;
}

Cycles dma_occupancy(const DmaGeometry& dma, const Dma& command) {
  DmaPlan plan;
  plan.plan(dma, command);
  std::uint64_t beats = 0, bursts = 0;
  for (const Piece& piece : plan.pieces) {
    const RowBeats row = row_beats(dma, piece.row_bytes, command.convert);
    beats += piece.rows * row.beats();
    bursts += piece.rows * row.bursts();
  }
  return Cycles(std::max({beats + plan.repeat_beats, bursts, dma.setup}));
}

}  // namespace archsim
