// What a transaction needs of what it shares with others. Targets and interconnect write it down as they serve (extent.h).
#pragma once

#include <cstdint>

namespace archsim {

struct Needs {
  enum class Memory : std::uint8_t { unknown, dram, sram };
  Memory memory = Memory::unknown;
  double memory_ps = 0.0;  // it keeps the memory busy: the sum over channels or slices, divided by their number

  double dram_ps = 0.0;          // of a memory that is a cache: it keeps the DRAM behind it busy, as memory_ps
  std::uint64_t dram_bytes = 0;  // moved there

  std::uint32_t endpoint = 0;               // the initiator's on the interconnect
  double heads_ps = 0.0, payload_ps = 0.0;  // on a link that all of it passes
  double burst_ps = 0.0;                    // payload of one burst on one link
  std::uint32_t hot_link = 0;  // the most used link on its ways but for its own, by the interconnect's index
  double hot_part = 0.0;       // of it that passes there; 0: its own is used more

  /// Another one of the same initiator in the same memory.
  void add(const Needs& other) {
    memory_ps += other.memory_ps;
    dram_ps += other.dram_ps;
    dram_bytes += other.dram_bytes;
    heads_ps += other.heads_ps;
    payload_ps += other.payload_ps;
  }
};

}  // namespace archsim
