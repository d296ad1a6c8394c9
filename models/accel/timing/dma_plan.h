// How a DMA descriptor becomes extents, bursts and port beats: pure functions.
//
// Rows that touch are one run; a run is cut into pieces of at most kLargestPiece, rows that do not touch are gathered into
// pieces of whole rows. Every row starts a burst of its own. A burst takes the port and the scratchpad
// ceil(bytes / port_width) cycles, bytes being the larger of what it has on the memory side and, converted, on the local side.
// A row that is repeated (memory pitch 0) is read once and written locally again and again, behind the transfer.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/program/command.h"
#include "arch/units/quantity.h"
#include "models/stream/burst_window.h"

namespace archsim {

struct DmaGeometry {
  std::uint64_t burst_bytes = 512;
  std::uint64_t port_bytes = 64;  // a cycle
  std::uint64_t setup = 32;       // cycles
  std::uint64_t largest_piece = kLargestPiece;
};

/// Bytes on the local side for one on the memory side.
std::uint64_t local_bytes_per_memory_byte(Convert convert);

struct DmaPlan {
  std::vector<Piece> pieces;
  std::uint64_t memory_bytes = 0, local_bytes = 0;
  std::uint64_t repeat_beats = 0;  // local writes of repeated rows

  /// Fills this one, so that its memory is used again.
  void plan(const DmaGeometry& dma, const Dma& command);
};

struct RowBeats {
  std::uint64_t whole_bursts = 0;
  std::uint64_t whole_beats = 0;  // of each
  std::uint64_t rest_bytes = 0;   // of the shorter burst at the end; 0: none
  std::uint64_t rest_beats = 0;

  std::uint64_t bursts() const { return whole_bursts + (rest_bytes == 0 ? 0 : 1); }
  std::uint64_t beats() const { return whole_bursts * whole_beats + rest_beats; }
};
RowBeats row_beats(const DmaGeometry& dma, std::uint64_t row_bytes, Convert convert);

/// What each of many equal descriptors one behind the other adds, memory being ideal: the port's cycles, but never less than a
/// burst a cycle or one set-up.
Cycles dma_occupancy(const DmaGeometry& dma, const Dma& command);

}  // namespace archsim
