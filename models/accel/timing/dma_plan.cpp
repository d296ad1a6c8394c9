#include "models/accel/timing/dma_plan.h"

#include <algorithm>
#include <bit>

namespace archsim {
namespace {

/// The rows of one plane, or of all planes, as one regular pattern.
struct Pattern {
  std::uint64_t base = 0, row_bytes = 0, rows = 1;
  std::int64_t pitch = 0;
};

void cut_row(std::uint64_t base, std::uint64_t bytes, std::uint64_t largest, std::vector<Piece>& pieces) {
  for (std::uint64_t done = 0; done < bytes; done += largest) {
    pieces.push_back({.base = base + done, .row_bytes = std::min(largest, bytes - done), .run_offset = done});
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

PieceBursts::PieceBursts(const DmaGeometry& dma, const DmaPlan& plan, const Piece& piece)
    : dma_(dma),
      plan_(plan),
      piece_(piece),
      port_shift_(static_cast<unsigned>(std::countr_zero(dma.port_bytes))),
      whole_{.bytes = dma.burst_bytes,
             .memory = ceil_div(dma.burst_bytes, dma.port_bytes),
             .port = plan.copies * ceil_div(dma.burst_bytes, dma.port_bytes) *
                     ceil_div(std::min(dma.burst_bytes, dma.port_bytes) * plan.ratio, dma.port_bytes)},
      at_(piece.base),
      row_(piece.base),
      left_(piece.row_bytes),
      until_row_ends_(plan.local_row == 0 ? 0 : plan.local_row - piece.run_offset % plan.local_row) {}

std::uint64_t PieceBursts::count() const {
  const std::uint64_t burst = dma_.burst_bytes;
  const auto shift = static_cast<unsigned>(std::countr_zero(burst));
  const auto of_row = [&](std::uint64_t base) {
    return ((base & (burst - 1)) + piece_.row_bytes + burst - 1) >> shift;
  };
  if (piece_.rows == 1 || piece_.pitch % static_cast<std::int64_t>(burst) == 0)
    return piece_.rows * of_row(piece_.base);
  std::uint64_t bursts = 0, base = piece_.base;
  for (std::uint64_t row = 0; row < piece_.rows; ++row, base += static_cast<std::uint64_t>(piece_.pitch)) {
    bursts += of_row(base);
  }
  return bursts;
}

std::uint64_t PieceBursts::segments(std::uint64_t bytes) const {
  return plan_.copies * ((bytes * plan_.ratio + dma_.port_bytes - 1) >> port_shift_);
}

BurstBeats PieceBursts::next(std::vector<std::uint32_t>* each_port) {
  const std::uint64_t bytes = std::min(dma_.burst_bytes - (at_ & (dma_.burst_bytes - 1)), left_);
  BurstBeats beats = whole_;
  if (bytes == dma_.burst_bytes && plan_.local_row == 0) {
    if (each_port != nullptr) each_port->assign(whole_.memory, static_cast<std::uint32_t>(whole_.port / whole_.memory));
  } else {
    if (each_port != nullptr) each_port->clear();
    const bool is_in_one_row = plan_.local_row == 0 || bytes <= until_row_ends_;
    beats = is_in_one_row ? in_one_row(bytes, each_port) : across_rows(bytes, each_port);
  }
  at_ += bytes;
  if ((left_ -= bytes) == 0) {
    row_ += static_cast<std::uint64_t>(piece_.pitch);
    at_ = row_;
    left_ = piece_.row_bytes;
  }
  return beats;
}

BurstBeats PieceBursts::in_one_row(std::uint64_t bytes, std::vector<std::uint32_t>* each_port) {
  const std::uint64_t mask = dma_.port_bytes - 1;
  const std::uint64_t first = std::min(dma_.port_bytes - (at_ & mask), bytes);
  const std::uint64_t whole = (bytes - first) >> port_shift_, last = (bytes - first) & mask;
  const std::uint64_t of_first = segments(first), of_last = last == 0 ? 0 : segments(last);
  const std::uint64_t of_whole = whole == 0 ? 0 : segments(dma_.port_bytes);
  if (each_port != nullptr) {
    each_port->push_back(static_cast<std::uint32_t>(of_first));
    each_port->insert(each_port->end(), whole, static_cast<std::uint32_t>(of_whole));
    if (last != 0) each_port->push_back(static_cast<std::uint32_t>(of_last));
  }
  if (plan_.local_row != 0 && (until_row_ends_ -= bytes) == 0) until_row_ends_ = plan_.local_row;
  return {.bytes = bytes, .memory = 1 + whole + (last == 0 ? 0 : 1), .port = of_first + whole * of_whole + of_last};
}

BurstBeats PieceBursts::across_rows(std::uint64_t bytes, std::vector<std::uint32_t>* each_port) {
  BurstBeats beats{.bytes = bytes};
  for (std::uint64_t at = at_, end = at_ + bytes; at < end;) {
    const std::uint64_t beat_end = std::min(at - at % dma_.port_bytes + dma_.port_bytes, end);
    ++beats.memory;
    const std::uint64_t before = beats.port;
    while (at < beat_end) {
      const std::uint64_t take = std::min(beat_end - at, until_row_ends_);
      beats.port += segments(take);
      at += take;
      if ((until_row_ends_ -= take) == 0) until_row_ends_ = plan_.local_row;
    }
    if (each_port != nullptr) each_port->push_back(static_cast<std::uint32_t>(beats.port - before));
  }
  return beats;
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
  const std::uint64_t local_row_bytes = command.row_bytes * local_bytes_per_memory_byte(command.convert);
  local_bytes = static_cast<std::uint64_t>(command.planes) * command.rows * local_row_bytes;
  ratio = local_bytes_per_memory_byte(command.convert);
  copies = repeats ? command.rows : 1;
  // What is one piece locally: everything, or a plane, or a row.
  const bool rows_touch = command.rows == 1 || (!repeats && command.local_row_pitch == local_row_bytes);
  const std::uint64_t local_plane =
      (command.rows - 1) * static_cast<std::uint64_t>(command.local_row_pitch) + local_row_bytes;
  if (rows_touch && (command.planes == 1 || command.local_plane_pitch == local_plane)) {
    local_row = 0;
  } else {
    local_row = rows_touch ? static_cast<std::uint64_t>(plane_bytes) : command.row_bytes;
  }
}

Cycles dma_occupancy(const DmaGeometry& dma, const Dma& command) {
  DmaPlan plan;
  plan.plan(dma, command);
  std::uint64_t cycles = 0, bursts = 0;
  for (const Piece& piece : plan.pieces) {
    PieceBursts of_piece(dma, plan, piece);
    const std::uint64_t count = of_piece.count();
    for (std::uint64_t i = 0; i < count; ++i) cycles += of_piece.next().port;
    bursts += count;
  }
  return Cycles(std::max({cycles, bursts, dma.setup}));
}

}  // namespace archsim
