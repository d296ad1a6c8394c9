// Random streams of extents into one DRAM channel, by both paths.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "models/dram/channel.h"
#include "models/dram/exact_channel.h"

namespace archsim {

/// Part of one channel's address space, all of it asked for at `arrival`, in clocks.
struct ChannelExtent {
  std::uint64_t arrival, first, end;
  bool is_write;
};

struct StreamShape {
  std::string name;
  std::uint64_t bytes;  // of an extent
  unsigned initiators;  // each with a place of its own; extents of one follow each other for a while
  unsigned longest;     // extents in a row that follow each other
  std::uint64_t pitch;  // from an extent to the next of its initiator; 0: they touch
  double writes = 0.0;  // part of the extents
  double load = 0.0;    // of the peak; 0: all is there from the beginning
};

std::vector<ChannelExtent> random_extents(const StreamShape& shape, const ChannelTiming& timing, std::uint64_t seed,
                                          std::uint64_t bytes);

struct PathResult {
  double end = 0.0, middle = 0.0;  // clocks: when all is through, and when the first half is
  DramCounts counts;
};
PathResult run_exactly(const DramStandard& standard, const std::vector<ChannelExtent>& extents);
PathResult run_fast(const DramStandard& standard, const std::vector<ChannelExtent>& extents);

}  // namespace archsim
