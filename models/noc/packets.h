// How an extent becomes packets: one a burst, cut where it leaves the port that owns the bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/block/memory/dealing.h"

namespace archsim {

/// Where a packet's header travels.
enum class PacketHeader : std::uint8_t { own_flit, side_wires };

/// Flits that a data packet has besides its payload's.
constexpr std::uint64_t header_flits(PacketHeader header) { return header == PacketHeader::own_flit ? 1 : 0; }

/// What one port gets of an extent.
struct Train {
  std::uint64_t bytes = 0, packets = 0, payload_flits = 0;
  std::uint64_t first_address = 0, first_bytes = 0;  // its first contiguous piece; addresses as the extent's

  void add(std::uint64_t piece, std::uint64_t times, std::uint64_t burst, std::uint64_t flit);
};

/// Counts the trains of `rows` (offsets within the dealt space), one a way, in closed form for each row.
void count_trains(const Rows& rows, const Dealing& dealing, std::uint64_t burst, std::uint64_t flit,
                  std::vector<Train>& trains);

}  // namespace archsim
