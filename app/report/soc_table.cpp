#include "app/report/soc_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "app/pictures/roofline/memory_path.h"
#include "arch/machine/soc_file/map.h"

namespace archsim {
namespace {

std::string giga(double number) { return fmt::format("{:.1f}", number / 1e9); }

std::string tiles_of(const BlockSpec& block) {
  std::string text;
  for (const Tile tile : block.tiles) text += fmt::format("{}[{}, {}]", text.empty() ? "" : " ", tile.column, tile.row);
  return text;
}

TextTable blocks(const SocSpec& spec) {
  const std::string tech = spec.tech ? ", technology " + *spec.tech + ": a name so far, nothing is priced" : "";
  TextTable table{spec.name + tech, {"<block", "<kind", "<model", "<clock", "<tiles"}, {}};
  for (const BlockSpec& block : spec.blocks) {
    const std::string clock = block.clock_name.empty() ? "" : block.clock_name + " " + show(block.clock);
    std::string tiles = tiles_of(block);
    if (tiles.size() > 50)
      tiles = fmt::format("{} tiles from {}", block.tiles.size(), tiles.substr(0, tiles.find(']') + 1));
    table.rows.push_back({block.name, block.entry->kind, block.entry->model, clock, tiles});
  }
  return table;
}

TextTable peaks(const MachineView& machine) {
  TextTable table{"peak rates", {"<element type", "MACs a cycle", "TMAC/s"}, {}};
  for (const Dtype dtype : {Dtype::int8, Dtype::bf16, Dtype::fp16, Dtype::fp32, Dtype::fp8_e4m3, Dtype::fp8_e5m2,
                            Dtype::int4, Dtype::mxfp8, Dtype::mxfp4, Dtype::nvfp4}) {
    double per_cycle = 0.0;
    for (const auto& can : machine.accelerators) {
      const auto rate = can.macs_per_pe.find(dtype);
      if (rate != can.macs_per_pe.end()) per_cycle += rate->second * can.rows * can.columns;
    }
    if (per_cycle == 0.0) continue;
    table.rows.push_back({std::string(name_of(dtype)), fmt::format("{}", per_cycle),
                          fmt::format("{:.3f}", machine.peak_macs_per_second(dtype) / 1e12)});
  }
  return table;
}

TextTable memory_map(const SocSpec& spec) {
  TextTable table{"memory map", {"<region", "<from", "<to", "size", "ports"}, {}};
  for (const Region& region : spec.map.regions) {
    table.rows.push_back({region_name(region), fmt::format("{:#014x}", region.base),
                          fmt::format("{:#014x}", region.base + region.size - 1), show(Bytes(region.size)),
                          std::to_string(region.interleave.ports)});
  }
  return table;
}

void warn(const std::string& name, const MemoryPath& path, Diagnostics& out) {
  const auto check = [&](double limit, const std::string& what, const std::string& help) {
    if (limit >= path.device) return;
    out.warning({}, fmt::format("{} let through {} of the {} GB/s of `{}`", what, giga(limit), giga(path.device), name),
                help);
  };
  check(path.ports, "the ports", "more ports or slices, wider links, or a faster interconnect clock");
  check(path.links, "the most loaded links, under uniform traffic,", "wider links, or another placement");
  check(path.dmas, "the DMAs of all accelerators", "more outstanding bursts, or larger ones");
}

TextTable bandwidths(const SocSpec& spec, Diagnostics& out) {
  TextTable table{"memory bandwidth, GB/s",
                  {"<memory", "peak", "one way", "its ports", "links, uniform", "all DMAs", "idle latency"},
                  {}};
  const MachineView machine = machine_view(spec);
  const auto add = [&](const BlockSpec& block, const MemoryCapabilities& memory) {
    const MemoryPath path = path_to(spec, block, memory, machine);
    table.rows.push_back({block.name, giga(memory.peak.value), giga(path.device), giga(path.ports),
                          std::isinf(path.links) ? "" : giga(path.links), giga(path.dmas), show(memory.latency)});
    warn(block.name, path, out);
  };
  add(spec.dram(), machine.dram);
  if (machine.l2) add(*spec.l2(), *machine.l2);
  if (machine.cache) add(*spec.l2(), *machine.cache);
  return table;
}

}  // namespace

std::vector<TextTable> soc_tables(const SocSpec& spec, Diagnostics& out) {
  return {blocks(spec), peaks(machine_view(spec)), memory_map(spec), bandwidths(spec, out)};
}

}  // namespace archsim
