// How addresses are dealt out to ways (channels, slices, ports), in closed form.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "arch/block/extent.h"
#include "arch/machine/memory_map.h"

namespace archsim {

/// Granule g of an address space belongs to way g % ways. Within a way, granules lie next to each other.
class Dealing {
 public:
  /// With one way there is nothing to deal, and granules mean nothing.
  Dealing(std::uint64_t granule, unsigned ways)
      : granule_(ways == 1 ? kEverything : granule),
        ways_(ways),
        is_power_of_two_(std::has_single_bit(granule_) && std::has_single_bit(ways)),
        granule_shift_(static_cast<unsigned>(std::countr_zero(granule_))),
        ways_shift_(static_cast<unsigned>(std::countr_zero(ways))) {}

  static Dealing to_ways(const Interleave& interleave) { return {interleave.granule, interleave.ways}; }
  static Dealing to_ports(const Interleave& interleave) {
    return {interleave.granule * (interleave.ways / interleave.ports), interleave.ports};
  }

  std::uint64_t granule() const { return granule_; }
  unsigned ways() const { return ways_; }

  std::uint64_t granule_of(std::uint64_t offset) const {
    return is_power_of_two_ ? offset >> granule_shift_ : offset / granule_;
  }
  unsigned way_of_granule(std::uint64_t index) const {
    return static_cast<unsigned>(is_power_of_two_ ? index & (ways_ - 1) : index % ways_);
  }
  unsigned way_of(std::uint64_t offset) const { return way_of_granule(granule_of(offset)); }

  /// How many bytes of [0, offset) lie in `way`; also the address within the way of its first byte at or after `offset`.
  std::uint64_t before(std::uint64_t offset, unsigned way) const {
    const std::uint64_t granule = granule_of(offset);
    const std::uint64_t round = is_power_of_two_ ? granule >> ways_shift_ : granule / ways_;
    const auto at = static_cast<unsigned>(granule - round * ways_);
    const std::uint64_t inside = offset - granule * granule_;
    return round * granule_ + (way < at ? granule_ : way == at ? inside : 0);
  }

  /// Calls fn(first, end), offsets, for every contiguous piece of [first, end) that lies in `way`, ascending.
  template <class Fn>
  void for_each_piece(std::uint64_t first, std::uint64_t end, unsigned way, Fn fn) const {
    const std::uint64_t start = granule_of(first);
    std::uint64_t granule = start + (way + ways_ - way_of_granule(start)) % ways_;
    for (; granule * granule_ < end; granule += ways_) {
      fn(std::max(first, granule * granule_), std::min(end, (granule + 1) * granule_));
    }
  }

 private:
  static constexpr std::uint64_t kEverything = std::uint64_t{1} << 62;

  std::uint64_t granule_;
  unsigned ways_;
  bool is_power_of_two_;
  unsigned granule_shift_, ways_shift_;
};

/// The rows of an extent, ascending, rows that touch joined.
struct Rows {
  std::uint64_t base = 0, bytes = 0, count = 0, pitch = 0;

  static Rows of(const Extent& extent) {
    if (extent.row_bytes == 0 || extent.rows == 0) return {extent.base, 0, 0, 0};
    const bool is_descending = extent.pitch < 0;
    const auto pitch = static_cast<std::uint64_t>(is_descending ? -extent.pitch : extent.pitch);
    const std::uint64_t base = is_descending ? extent.base - (extent.rows - 1) * pitch : extent.base;
    if (extent.rows == 1 || pitch == extent.row_bytes) return {base, extent.bytes(), 1, 0};
    return {base, extent.row_bytes, extent.rows, pitch};
  }

  std::uint64_t end() const { return count == 0 ? base : base + (count - 1) * pitch + bytes; }
};

}  // namespace archsim
