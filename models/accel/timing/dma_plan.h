// How a DMA descriptor becomes extents, bursts and port beats: pure functions.
//
// Rows that touch are one run; a run is cut into pieces of at most kLargestPiece, rows that do not touch are gathered into
// pieces of whole rows. Every run and every gathered row starts a burst of its own, and bursts end at multiples of their size. A
// beat carries the bytes between two multiples of the port's width. The port and the local SRAM take a cycle for each segment: as much
// of a beat as lies in one local row and, converted, fits the port. Local rows that touch are one. A repeated row
// (memory pitch 0) is read once, and each of its segments is written once for every copy.
// The RTL does it so: accel-rtl/README.md.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/program/command.h"
#include "arch/units/quantity.h"
#include "models/stream/burst_window.h"

namespace archsim {

struct DmaGeometry {
  std::uint64_t burst_bytes = 512;  // a power of two, as the port is
  std::uint64_t port_bytes = 64;    // a cycle
  std::uint64_t setup = 32;         // cycles
  std::uint64_t largest_piece = kLargestPiece;
};

/// Bytes on the local side for one on the memory side.
std::uint64_t local_bytes_per_memory_byte(Convert convert);

struct DmaPlan {
  std::vector<Piece> pieces;
  std::uint64_t memory_bytes = 0, local_bytes = 0;
  std::uint64_t ratio = 1;      // local bytes for one in memory
  std::uint64_t copies = 1;     // of each segment
  std::uint64_t local_row = 0;  // bytes in memory of what is one piece locally; 0: no end of it lies inside a run

  /// Fills this one, so that its memory is used again.
  void plan(const DmaGeometry& dma, const Dma& command);
};

/// What a burst takes.
struct BurstBeats {
  std::uint64_t bytes = 0;
  std::uint64_t memory = 0;  // beats at the memory port
  std::uint64_t port = 0;    // cycles of the port and the local SRAM, at least as many
};

/// The bursts of a piece, in order.
class PieceBursts {
 public:
  PieceBursts(const DmaGeometry& dma, const DmaPlan& plan, const Piece& piece);
  std::uint64_t count() const;
  /// At most `count` times. `each_port`, if given, becomes each beat's cycles of the port and the local SRAM.
  BurstBeats next(std::vector<std::uint32_t>* each_port = nullptr);

 private:
  std::uint64_t segments(std::uint64_t bytes) const;
  /// The next `bytes`: in one local row, and wherever such rows end.
  BurstBeats in_one_row(std::uint64_t bytes, std::vector<std::uint32_t>* each_port);
  BurstBeats across_rows(std::uint64_t bytes, std::vector<std::uint32_t>* each_port);

  const DmaGeometry& dma_;
  const DmaPlan& plan_;
  const Piece& piece_;
  unsigned port_shift_;
  BurstBeats whole_;
  std::uint64_t at_, row_, left_, until_row_ends_;
};

/// What each of many equal descriptors one behind the other adds, memory being ideal: the port's cycles, but never less than a
/// burst a cycle or one set-up.
Cycles dma_occupancy(const DmaGeometry& dma, const Dma& command);

}  // namespace archsim
