// The SoC's one address space: which block, and which of its ports, serves an address.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace archsim {

/// By how much round `round` of dealing to `ways` is turned: the digits of the round in base `ways`, summed (five of them where
/// there are more than two ways).
inline unsigned turn_of_round(std::uint64_t round, unsigned ways) {
  if (ways == 2) return static_cast<unsigned>(std::popcount(round)) & 1U;
  std::uint64_t sum = 0;
  for (unsigned digit = 0; digit < 5 && round > 0; ++digit, round /= ways) sum += round % ways;
  return static_cast<unsigned>(sum % ways);
}

/// How a memory's address space is dealt out: to its ports in granules of granule * ways / ports bytes, and what a port gets to
/// its ways (channels) in granules. A round gives each one granule; rounds are turned (`turn_of_round`), so that no pitch of
/// a power of two meets one way alone, as the address hashes of memory controllers and sliced caches see to.
struct Interleave {
  std::uint64_t granule = 0;  // bytes
  unsigned ways = 1;          // channels or slices
  unsigned ports = 1;         // NoC endpoints; divides ways
  unsigned port_of(std::uint64_t offset) const {
    if (ports == 1) return 0;
    const std::uint64_t index = offset / (granule * (ways / ports)), round = index / ports;
    return static_cast<unsigned>((index - round * ports + turn_of_round(round, ports)) % ports);
  }
};

enum class RegionKind : std::uint8_t { dram, l2, scratchpad, csr };
std::string_view name_of(RegionKind kind);

/// A cache before a region: who serves the region's addresses to everyone but itself.
struct CacheFront {
  std::string block;
  Interleave interleave;  // of offsets from the region's base
  std::uint32_t first_target = 0;
};

struct Region {
  std::string block;  // "npu0", "l2", "dram"
  RegionKind kind = RegionKind::dram;
  std::uint64_t base = 0;
  std::uint64_t size = 0;
  Interleave interleave;           // of offsets from `base`
  std::uint32_t first_target = 0;  // Fabric::targets of its port 0
  std::optional<CacheFront> front = {};

  bool contains(std::uint64_t address) const { return address >= base && address - base < size; }
  std::uint32_t target_of(std::uint64_t address) const { return first_target + interleave.port_of(address - base); }
};

struct MemoryMap {
  std::vector<Region> regions;  // ascending, disjoint

  /// Null if nothing lies there.
  const Region* at(std::uint64_t address) const;
  /// Null if `block` has no such region.
  const Region* of(std::string_view block, RegionKind kind) const;
};

/// One socket at the interconnect, and the tile where it stands.
struct Attachment {
  std::string block;
  unsigned port = 0;  // of the block's initiator_ports() or target_ports()
  unsigned column = 0, row = 0;
  unsigned priority = 0;  // of an initiator's packets; higher ones go first
};

/// What the interconnect joins. Its own target_ports() stand in the order of `initiators`, its initiator_ports() in that of
/// `targets`.
struct Fabric {
  std::vector<Attachment> initiators;
  std::vector<Attachment> targets;
};

}  // namespace archsim
