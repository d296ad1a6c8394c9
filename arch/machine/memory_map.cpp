#include "arch/machine/memory_map.h"

#include <algorithm>

namespace archsim {

std::string_view name_of(RegionKind kind) {
  switch (kind) {
    case RegionKind::dram:
      return "dram";
    case RegionKind::l2:
      return "l2";
    case RegionKind::scratchpad:
      return "scratchpad";
    case RegionKind::csr:
      return "csr";
  }
  return {};
}

const Region* MemoryMap::at(std::uint64_t address) const {
  const auto after = std::upper_bound(regions.begin(), regions.end(), address,
                                      [](std::uint64_t a, const Region& region) { return a < region.base; });
  if (after == regions.begin()) return nullptr;
  const Region& candidate = *std::prev(after);
  return candidate.contains(address) ? &candidate : nullptr;
}

const Region* MemoryMap::of(std::string_view block, RegionKind kind) const {
  for (const Region& region : regions) {
    if (region.block == block && region.kind == kind) return &region;
  }
  return nullptr;
}

}  // namespace archsim
