// The memory map: derived, and overridden where the file says so.
#pragma once

#include <vector>

#include "arch/describe/yaml.h"
#include "arch/machine/soc_file/blocks.h"
#include "arch/machine/soc_spec.h"

namespace archsim {

/// CSRs first, then scratchpads, l2 and DRAM, each at a multiple of its size rounded up to a power of two (of 4 GiB at most).
/// `overrides` (null if the file has none) gives base addresses: `memory_map: {dram: 0x80000000, npu0.csr: 0x10000}`.
MemoryMap derive_map(const std::vector<BlockSpec>& blocks, const Fabric& fabric, const YamlEntry* overrides,
                     Diagnostics& out);

/// For a file with mistakes elsewhere: tells what is wrong in `overrides` however those are mended. Regions of blocks that were
/// left out are unknown.
void check_map(const YamlEntry* overrides, const BlocksRead& read, const std::vector<BlockSpec>& blocks,
               Diagnostics& out);

/// What a region is called in `memory_map`: `dram`, `l2`, `npu0.scratchpad`, `npu0.csr`.
std::string region_name(const Region& region);

}  // namespace archsim
