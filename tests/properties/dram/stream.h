// Random streams of extents into one DRAM channel, by both paths.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "models/dram/channel.h"
#include "models/dram/exact_channel.h"
#include "models/dram/window/ordered_channel.h"

namespace archsim {

/// Part of one channel's address space, all of it asked for at `arrival`, in clocks.
struct ChannelExtent {
  std::uint64_t arrival, first, end;
  bool is_write;
};

struct StreamShape {
  std::string name;
  std::uint64_t bytes;      // of an extent
  unsigned initiators = 1;  // each with a place of its own, in a random turn
  unsigned longest = 1000;  // extents of an initiator that follow each other, at most
  double writes = 0.0;      // part of the extents
  double load = 0.0;        // of the peak; 0: all is there from the beginning
};

std::vector<ChannelExtent> random_extents(const StreamShape& shape, const ChannelTiming& timing, std::uint64_t seed,
                                          std::uint64_t bytes);

struct PathResult {
  double end = 0.0, middle = 0.0;  // clocks: when all is through, and when the first half is
  DramCounts counts;
  double drained = 0.0;   // when the last data are through, at the device
  double answered = 0.0;  // when the first half is answered, a write when the buffer has it
};
PathResult run_exactly(const DramStandard& standard, const std::vector<ChannelExtent>& extents);
PathResult run_fast(const DramStandard& standard, const std::vector<ChannelExtent>& extents);
/// Of OrderedChannel: `drained` and `answered`, not `end` and `middle`.
PathResult run_in_order(const DramStandard& standard, const std::vector<ChannelExtent>& extents);

}  // namespace archsim
