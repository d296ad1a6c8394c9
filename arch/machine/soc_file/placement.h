// Where the endpoints stand on the interconnect's tiles, and in which order they are bound to it.
#pragma once

#include <vector>

#include "arch/describe/yaml.h"
#include "arch/machine/soc_file/blocks.h"
#include "arch/machine/soc_spec.h"

namespace archsim {

/// Endpoints of a block: a memory has one a port, the interconnect none, every other block one.
unsigned endpoints_of(const BlockSpec& block);

/// Reads `placement` (null if the file has none) into the blocks' tiles. What has no place in the file gets one: accelerators
/// first, then l2, DRAM and the others, each on the next free tile, row by row. After mistakes in blocks the rest of
/// `placement` is still checked.
void place_blocks(const YamlEntry* placement, const BlocksRead& read, std::vector<BlockSpec>& blocks, Diagnostics& out);

/// It stands before the DRAM, so its slices are initiators too.
bool is_cache(const BlockSpec& block);
/// An error if the interconnect cannot tell as many priorities apart as the blocks have. No block was left out.
void check_priorities(const std::vector<BlockSpec>& blocks, Diagnostics& out);
/// The sockets at the interconnect, in the order of the blocks.
Fabric fabric_of(const std::vector<BlockSpec>& blocks);

}  // namespace archsim
