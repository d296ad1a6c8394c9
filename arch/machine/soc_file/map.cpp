#include "arch/machine/soc_file/map.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>
#include <optional>

#include "arch/describe/near_name.h"

namespace archsim {
namespace {

constexpr std::uint64_t kFirstAddress = 0x1000'0000;    // below it nothing lies, so that a null address is caught
constexpr std::uint64_t kCsrBytes = 64 << 10;           // a page of the largest size in use, for one block's registers
constexpr std::uint64_t kMostAlignment = 4ULL << 30;    // above that, alignment costs address bits and helps nobody
constexpr std::uint64_t kEnd = std::uint64_t{1} << 48;  // commands have 48 address bits

std::uint64_t alignment_of(const Region& region) {
  return std::min(std::bit_ceil(std::max(region.size, kCsrBytes)), kMostAlignment);
}

std::vector<Region> regions_of(const std::vector<BlockSpec>& blocks, const Fabric& fabric) {
  std::vector<Region> regions;
  const auto add = [&](const BlockSpec& block, RegionKind kind, std::uint64_t size, Interleave interleave) {
    if (size == 0) return;
    const auto first = std::find_if(fabric.targets.begin(), fabric.targets.end(),
                                    [&](const Attachment& target) { return target.block == block.name; });
    ARCHSIM_ASSERT(first != fabric.targets.end(), block.name);
    const auto target = static_cast<std::uint32_t>(first - fabric.targets.begin());
    regions.push_back(
        {.block = block.name, .kind = kind, .size = size, .interleave = interleave, .first_target = target});
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

std::map<std::string, std::uint64_t> read_overrides(const YamlNode& node, const std::vector<Region>& regions,
                                                    std::map<std::string, Location>& places, Diagnostics& out) {
  std::map<std::string, std::uint64_t> bases;
  if (!node.is_map()) {
    out.error(node.location(), "`memory_map` is a map of base addresses", "write it like `dram: 0x8000_0000`");
    return bases;
  }
  std::vector<std::string> names;
  for (const Region& region : regions) names.push_back(region_name(region));
  for (const YamlEntry& entry : node.entries()) {
    const auto region = std::find(names.begin(), names.end(), entry.name());
    if (region == names.end()) {
      out.error(entry.key.location(), "the memory map has no region `" + entry.name() + "`",
                help_for_unknown(entry.name(), names));
      continue;
    }
    const auto base = parse_address(entry.value.scalar());
    const auto alignment = alignment_of(regions[static_cast<std::size_t>(region - names.begin())]);
    const auto where = entry.value.location();
    if (!base) {
      out.error(where, "`" + entry.value.scalar() + "` is no address", "write it like `0x8000_0000`");
    } else if (*base % alignment != 0) {
      out.error(where, fmt::format("`{}` at {:#x} is not aligned", entry.name(), *base),
                fmt::format("a multiple of {:#x}", alignment));
    } else {
      bases[entry.name()] = *base;
      places[entry.name()] = where;
    }
  }
  return bases;
}

std::string range_of(const Region& region) {
  return fmt::format("`{}` ({:#x} .. {:#x})", region_name(region), region.base, region.base + region.size - 1);
}

void check(const std::vector<Region>& regions, const std::map<std::string, Location>& places, Diagnostics& out) {
  const auto place_of = [&](const Region& region) {
    const auto place = places.find(region_name(region));
    return place == places.end() ? Location{} : place->second;
  };
  const Region* reaching = nullptr;  // the region so far that reaches furthest
  for (const Region& region : regions) {
    if (region.base >= kEnd || region.size > kEnd - region.base) {
      out.error(place_of(region), range_of(region) + " lies beyond the 48 bits of an address");
    }
    if (reaching != nullptr && reaching->base + reaching->size > region.base) {
      const auto where = place_of(region).source ? place_of(region) : place_of(*reaching);
      out.error(where, range_of(region) + " overlaps " + range_of(*reaching));
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
  MemoryMap map{regions_of(blocks, fabric)};
  std::map<std::string, Location> places;
  const auto bases = overrides == nullptr ? std::map<std::string, std::uint64_t>{}
                                          : read_overrides(overrides->value, map.regions, places, out);
  std::uint64_t next = kFirstAddress;
  for (Region& region : map.regions) {
    const auto base = bases.find(region_name(region));
    region.base = base == bases.end() ? round_up(next, alignment_of(region)) : base->second;
    if (base == bases.end()) next = region.base + region.size;
  }
  std::stable_sort(map.regions.begin(), map.regions.end(),
                   [](const Region& a, const Region& b) { return a.base < b.base; });
  check(map.regions, places, out);
  return map;
}

}  // namespace archsim
