#include "arch/machine/soc_file/map.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>
#include <optional>

#include "arch/describe/near_name.h"
#include "arch/machine/soc_file/placement.h"

namespace archsim {
namespace {

constexpr std::uint64_t kFirstAddress = 0x1000'0000;    // below it nothing lies, so that a null address is caught
constexpr std::uint64_t kCsrBytes = 64 << 10;           // a page of the largest size in use, for one block's registers
constexpr std::uint64_t kMostAlignment = 4ULL << 30;    // above that, alignment costs address bits and helps nobody
constexpr std::uint64_t kEnd = std::uint64_t{1} << 48;  // commands have 48 address bits

std::uint64_t alignment_of(const Region& region) {
  return std::min(std::bit_ceil(std::max(region.size, kCsrBytes)), kMostAlignment);
}

std::uint32_t first_target_of(const std::string& block, const Fabric& fabric) {
  const auto first = std::find_if(fabric.targets.begin(), fabric.targets.end(),
                                  [&](const Attachment& target) { return target.block == block; });
  ARCHSIM_ASSERT(first != fabric.targets.end(), block);
  return static_cast<std::uint32_t>(first - fabric.targets.begin());
}

/// Without addresses and targets.
std::vector<Region> regions_of(const std::vector<BlockSpec>& blocks) {
  std::vector<Region> regions;
  const auto add = [&](const BlockSpec& block, RegionKind kind, std::uint64_t size, Interleave interleave) {
    if (size > 0) regions.push_back({.block = block.name, .kind = kind, .size = size, .interleave = interleave});
  };
  for (const BlockSpec& block : blocks) {
    const CatalogEntry& entry = *block.entry;
    if (entry.accelerator) {
      add(block, RegionKind::csr, kCsrBytes, {});
      add(block, RegionKind::scratchpad, entry.accelerator(block.params, block.clock).scratchpad.value, {});
    } else if (entry.host) {
      add(block, RegionKind::csr, kCsrBytes, {});
    } else if (entry.memory) {
      const auto memory = entry.memory(block.params, block.clock);
      if (memory.cache_line > Bytes::zero()) continue;
      add(block, entry.kind == "dram" ? RegionKind::dram : RegionKind::l2, memory.capacity.value, memory.interleave);
    }
  }
  const auto order = [](RegionKind kind) {
    return kind == RegionKind::csr ? 0 : kind == RegionKind::scratchpad ? 1 : kind == RegionKind::l2 ? 2 : 3;
  };
  std::stable_sort(regions.begin(), regions.end(),
                   [&](const Region& a, const Region& b) { return order(a.kind) < order(b.kind); });
  return regions;
}

constexpr std::uint64_t kCacheGranule = 1024;  // of a cache that has not a slice for each port of the DRAM

/// What lies before the DRAM's region. A cache that leaves open how addresses are dealt to its slices has each stand before a
/// port of the DRAM, if there are as many.
std::optional<CacheFront> front_of(const std::vector<BlockSpec>& blocks, const Fabric& fabric, const Interleave& dram) {
  for (const BlockSpec& block : blocks) {
    if (!is_cache(block)) continue;
    const auto memory = block.entry->memory(block.params, block.clock);
    Interleave interleave = memory.interleave;
    if (interleave.granule == 0) {
      const std::uint64_t of_a_port = dram.granule * (dram.ways / dram.ports), line = memory.cache_line.value;
      const bool stands_before_ports = interleave.ports == dram.ports && of_a_port % line == 0;
      interleave.granule = stands_before_ports ? of_a_port : std::max(kCacheGranule, line);
    }
    return CacheFront{block.name, interleave, first_target_of(block.name, fabric)};
  }
  return {};
}

/// An address: decimal, or hexadecimal with 0x; `_` between digits does not count.
std::optional<std::uint64_t> parse_address(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), '_'), text.end());
  const bool hexadecimal = text.starts_with("0x");
  const char* first = text.data() + (hexadecimal ? 2 : 0);
  const char* last = text.data() + text.size();
  std::uint64_t address = 0;
  const auto [end, error] = std::from_chars(first, last, address, hexadecimal ? 16 : 10);
  if (error != std::errc() || end != last || first == last) return {};
  return address;
}

struct Override {
  std::uint64_t base = 0;
  Location where;
};
using Overrides = std::map<std::string, Override>;  // by region

/// `may_exist` says of a name that is no region's whether the region may be one of a block that was left out.
template <class MayExist>
Overrides read_overrides(const YamlNode& node, const std::vector<Region>& regions, MayExist may_exist,
                         Diagnostics& out) {
  Overrides overrides;
  if (!node.is_map()) {
    out.error(node.location(), "`memory_map` is a map of base addresses", "write it like `dram: 0x8000_0000`");
    return overrides;
  }
  std::vector<std::string> names;
  names.reserve(regions.size());
  for (const Region& region : regions) names.push_back(region_name(region));
  for (const YamlEntry& entry : node.entries()) {
    const auto region = std::find(names.begin(), names.end(), entry.name());
    const auto base = parse_address(entry.value.scalar());
    const auto where = entry.value.location();
    if (region == names.end() && !may_exist(entry.name())) {
      out.error(entry.key.location(), "the memory map has no region `" + entry.name() + "`",
                help_for_unknown(entry.name(), names));
    } else if (!base) {
      out.error(where, "`" + entry.value.scalar() + "` is no address", "write it like `0x8000_0000`");
    } else if (region != names.end()) {
      const auto alignment = alignment_of(regions[static_cast<std::size_t>(region - names.begin())]);
      if (*base % alignment == 0) {
        overrides[entry.name()] = {*base, where};
      } else {
        out.error(where, fmt::format("`{}` at {:#x} is not aligned", entry.name(), *base),
                  fmt::format("a multiple of {:#x}", alignment));
      }
    }
  }
  return overrides;
}

std::string range_of(const Region& region) {
  return fmt::format("`{}` ({:#x} .. {:#x})", region_name(region), region.base, region.base + region.size - 1);
}

void check(const std::vector<Region>& regions, const Overrides& overrides, Diagnostics& out) {
  const auto place_of = [&](const Region& region) {
    const auto found = overrides.find(region_name(region));
    return found == overrides.end() ? Location{} : found->second.where;
  };
  const Region* reaching = nullptr;  // the region so far that reaches furthest
  for (const Region& region : regions) {
    if (region.base >= kEnd || region.size > kEnd - region.base) {
      out.error(place_of(region), range_of(region) + " lies beyond the 48 bits of an address",
                fmt::format("the last address is {:#x}", kEnd - 1));
    }
    if (reaching != nullptr && reaching->base + reaching->size > region.base) {
      const auto where = place_of(region).source ? place_of(region) : place_of(*reaching);
      out.error(where, range_of(region) + " overlaps " + range_of(*reaching),
                "`memory_map` moves either of them; what it does not name follows from " +
                    fmt::format("{:#x}", kFirstAddress) + " on");
    }
    if (reaching == nullptr || region.base + region.size > reaching->base + reaching->size) reaching = &region;
  }
}

}  // namespace

std::string region_name(const Region& region) {
  if (region.kind == RegionKind::dram || region.kind == RegionKind::l2) return region.block;
  return region.block + "." + std::string(name_of(region.kind));
}

MemoryMap derive_map(const std::vector<BlockSpec>& blocks, const Fabric& fabric, const YamlEntry* overrides,
                     Diagnostics& out) {
  MemoryMap map{regions_of(blocks)};
  Overrides given;
  if (overrides != nullptr) {
    given = read_overrides(
        overrides->value, map.regions, [](const std::string&) { return false; }, out);
  }
  std::uint64_t next = kFirstAddress;
  for (Region& region : map.regions) {
    region.first_target = first_target_of(region.block, fabric);
    if (region.kind == RegionKind::dram) region.front = front_of(blocks, fabric, region.interleave);
    const auto own = given.find(region_name(region));
    region.base = own == given.end() ? round_up(next, alignment_of(region)) : own->second.base;
    if (own == given.end()) next = region.base + region.size;
  }
  std::stable_sort(map.regions.begin(), map.regions.end(),
                   [](const Region& a, const Region& b) { return a.base < b.base; });
  check(map.regions, given, out);
  return map;
}

void check_map(const YamlEntry* overrides, const BlocksRead& read, const std::vector<BlockSpec>& blocks,
               Diagnostics& out) {
  if (overrides == nullptr) return;
  // `npu2.csr` may belong to a group `npu` whose blocks have mistakes.
  const auto is_left_out = [&](const std::string& region) {
    const std::string block = region.substr(0, region.find('.'));
    return std::any_of(read.groups.begin(), read.groups.end(), [&](const auto& group) {
      const bool is_read =
          std::any_of(blocks.begin(), blocks.end(), [&](const BlockSpec& each) { return each.group == group.first; });
      return !is_read && block.starts_with(group.first);
    });
  };
  read_overrides(overrides->value, regions_of(blocks), is_left_out, out);
}

}  // namespace archsim
