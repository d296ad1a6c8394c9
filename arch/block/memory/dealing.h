// How addresses are dealt out to ways (channels, slices, ports), in closed form.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "arch/block/extent.h"
#include "arch/machine/memory_map.h"

namespace archsim {

/// A round of `ways` granules gives each way one, in an order that turns from round to round. Within a way, granules lie next
/// to each other.
class Dealing {
 public:
  /// With one way there is nothing to deal, and granules mean nothing.
  Dealing(std::uint64_t granule, unsigned ways)
      : granule_(ways == 1 ? kEverything : granule),
        ways_(ways),
        is_power_of_two_(std::has_single_bit(granule_) && std::has_single_bit(ways)),
        granule_shift_(static_cast<unsigned>(std::countr_zero(granule_))),
        ways_shift_(static_cast<unsigned>(std::countr_zero(ways))) {}

  /// Addresses within a port to the ways behind it.
  static Dealing within_a_port(const Interleave& interleave) {
    return {interleave.granule, interleave.ways / interleave.ports};
  }
  static Dealing to_ports(const Interleave& interleave) {
    return {interleave.granule * (interleave.ways / interleave.ports), interleave.ports};
  }

  std::uint64_t granule() const { return granule_; }
  unsigned ways() const { return ways_; }

  std::uint64_t granule_of(std::uint64_t offset) const {
    return is_power_of_two_ ? offset >> granule_shift_ : offset / granule_;
  }
  std::uint64_t round_of_granule(std::uint64_t index) const {
    return is_power_of_two_ ? index >> ways_shift_ : index / ways_;
  }
  unsigned way_of_granule(std::uint64_t index) const {
    const std::uint64_t round = round_of_granule(index);
    return wrapped(static_cast<unsigned>(index - round * ways_) + turn(round));
  }
  /// The granule that `way` gets in `round`.
  std::uint64_t granule_in_round(std::uint64_t round, unsigned way) const {
    return round * ways_ + wrapped(way + ways_ - turn(round));
  }
  unsigned way_of(std::uint64_t offset) const { return way_of_granule(granule_of(offset)); }

  /// How many bytes of [0, offset) lie in `way`; also the address within the way of its first byte at or after `offset`.
  std::uint64_t before(std::uint64_t offset, unsigned way) const {
    const std::uint64_t granule = granule_of(offset);
    const std::uint64_t round = round_of_granule(granule), own = granule_in_round(round, way);
    const std::uint64_t inside = offset - granule * granule_;
    return round * granule_ + (own < granule ? granule_ : own == granule ? inside : 0);
  }

  /// The part of [first, end) that lies in `way`, as addresses within the way; empty if none does.
  struct Share {
    std::uint64_t first = 0, end = 0;
    bool is_empty() const { return first == end; }
  };
  Share share(std::uint64_t first, std::uint64_t end, unsigned way) const {
    if (first >= end) return {};
    const std::uint64_t granule = granule_of(first);
    if (end > (granule + 1) * granule_) return {before(first, way), before(end, way)};
    if (way_of_granule(granule) != way) return {};
    const std::uint64_t at = round_of_granule(granule) * granule_ + (first - granule * granule_);
    return {at, at + (end - first)};
  }

  /// Calls fn(first, end), offsets, for every contiguous piece of [first, end) that lies in `way`, ascending.
  template <class Fn>
  void for_each_piece(std::uint64_t first, std::uint64_t end, unsigned way, Fn fn) const {
    if (first >= end) return;
    const std::uint64_t last_round = round_of_granule(granule_of(end - 1));
    for (std::uint64_t round = round_of_granule(granule_of(first)); round <= last_round; ++round) {
      const std::uint64_t own = granule_in_round(round, way);
      const std::uint64_t from = std::max(first, own * granule_), to = std::min(end, (own + 1) * granule_);
      if (from < to) fn(from, to);
    }
  }

 private:
  // Equals turn_of_round; digits of powers of two need no divisions.
  unsigned turn(std::uint64_t round) const {
    if (ways_ == 1) return 0;
    if (ways_ == 2 || !is_power_of_two_) return turn_of_round(round, ways_);
    std::uint64_t sum = round;
    for (unsigned digit = 1; digit < 5; ++digit) sum += round >> (digit * ways_shift_);
    return static_cast<unsigned>(sum) & (ways_ - 1);
  }

  unsigned wrapped(unsigned way) const { return is_power_of_two_ ? way & (ways_ - 1) : way % ways_; }

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
