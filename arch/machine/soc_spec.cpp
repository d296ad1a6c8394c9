#include "arch/machine/soc_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "arch/machine/soc_file/map.h"

namespace archsim {
namespace {

template <class Predicate>
const BlockSpec* first_of(const SocSpec& spec, Predicate predicate) {
  const auto found = std::find_if(spec.blocks.begin(), spec.blocks.end(), predicate);
  return found == spec.blocks.end() ? nullptr : &*found;
}

const BlockSpec& present(const BlockSpec* block) {
  ARCHSIM_ASSERT(block != nullptr, "a checked SoC has one");
  return *block;
}

Datum text(std::string value) { return Datum{std::move(value)}; }

Datum block_datum(const BlockSpec& block) {
  Datum::Map map{{"kind", text(block.entry->kind)}, {"model", text(block.entry->model)}};
  if (block.entry->has_clock) map.emplace_back("clock", text(block.clock_name));
  if (block.entry->sends_transactions()) map.emplace_back("noc_priority", Datum{std::uint64_t{block.noc_priority}});
  if (!block.is_priced && block.entry->costs) map.emplace_back("priced", Datum{false});
  const Datum params = block.entry->params.datum(block.params);
  for (const auto& param : std::get<Datum::Map>(params.value)) map.push_back(param);
  return {std::move(map)};
}

Datum yaml_datum(const YamlNode& node) {
  if (!node.is_map()) return text(node.scalar());
  Datum::Map map;
  for (const YamlEntry& entry : node.entries()) map.emplace_back(entry.name(), yaml_datum(entry.value));
  return {std::move(map)};
}

Datum tech_datum(const TechChoice& choice) {
  if (choice.overrides.empty()) return text(choice.name);
  Datum::Map map{{"name", text(choice.name)}};
  for (const YamlEntry& entry : choice.overrides) map.emplace_back(entry.name(), yaml_datum(entry.value));
  return {std::move(map)};
}

Datum placement_datum(const BlockSpec& block) {
  Datum::List places;
  for (const Tile tile : block.tiles) {
    places.push_back({Datum::List{{std::uint64_t{tile.column}}, {std::uint64_t{tile.row}}}});
  }
  return {std::move(places)};
}

std::uint64_t base_of(const SocSpec& spec, const BlockSpec& block) {
  for (const Region& region : spec.map.regions) {
    if (region.block == block.name) return region.base;
  }
  return 0;
}

unsigned index_of(const FabricCapabilities& grid, Tile tile) { return tile.row * grid.columns + tile.column; }

/// What the links carry from the block's ports to the accelerators, to all alike.
Bandwidth links_between(const SocSpec& spec, const FabricCapabilities& grid, const BlockSpec& block) {
  std::vector<unsigned> ports, accelerators;
  Bytes burst(0);
  for (const Tile tile : block.tiles) ports.push_back(index_of(grid, tile));
  for (const BlockSpec* accelerator : spec.accelerators()) {
    accelerators.push_back(index_of(grid, accelerator->tiles.front()));
    burst = std::max(burst, accelerator->entry->accelerator(accelerator->params, accelerator->clock).dma_burst);
  }
  return grid.uniform_limit(ports, accelerators, std::max(burst, Bytes(1)));
}

/// What the ports and links can carry, and the unloaded way there and back averaged over accelerators and ports.
MemoryCapabilities memory_view(const SocSpec& spec, const BlockSpec& block) {
  const auto grid = spec.interconnect().entry->fabric(spec.interconnect().params, spec.interconnect().clock);
  MemoryCapabilities memory = block.entry->memory(block.params, block.clock);
  memory.name = block.name;
  memory.capacity_place = block.where("capacity");
  memory.base = base_of(spec, block);
  if (memory.delivered == Bandwidth::zero()) memory.delivered = memory.peak;
  memory.delivered = std::min(memory.delivered, grid.link * static_cast<double>(block.tiles.size()));
  if (grid.uniform_limit && !spec.accelerators().empty())
    memory.delivered = std::min(memory.delivered, links_between(spec, grid, block));
  std::uint64_t way = 0, ways = 0;
  for (const BlockSpec* accelerator : spec.accelerators()) {
    for (const Tile port : block.tiles) {
      way += 2 * grid.idle_latency(index_of(grid, accelerator->tiles.front()), index_of(grid, port)).value;
      ++ways;
    }
  }
  memory.latency += Time(way / ways);
  return memory;
}

}  // namespace

const BlockSpec* SocSpec::find(std::string_view wanted) const {
  return first_of(*this, [&](const BlockSpec& block) { return block.name == wanted; });
}

std::vector<const BlockSpec*> SocSpec::accelerators() const {
  std::vector<const BlockSpec*> found;
  for (const BlockSpec& block : blocks) {
    if (block.entry->accelerator) found.push_back(&block);
  }
  return found;
}

const BlockSpec& SocSpec::dram() const {
  return present(first_of(*this, [](const BlockSpec& block) { return block.entry->kind == "dram"; }));
}

const BlockSpec* SocSpec::l2() const {
  return first_of(*this, [](const BlockSpec& block) { return block.entry->kind == "sram"; });
}

const BlockSpec& SocSpec::host() const {
  return present(first_of(*this, [](const BlockSpec& block) { return block.entry->host != nullptr; }));
}

const BlockSpec& SocSpec::interconnect() const {
  return present(first_of(*this, [](const BlockSpec& block) { return block.entry->fabric != nullptr; }));
}

Datum SocSpec::resolved() const {
  Datum::Map file{{"soc", text(name)}};
  if (tech) file.emplace_back("tech", tech_datum(tech_choice));
  Datum::Map clock_map, block_map, places, bases;
  for (const auto& [clock, frequency] : clocks) clock_map.emplace_back(clock, text(show(frequency)));
  for (const BlockSpec& block : blocks) {
    block_map.emplace_back(block.name, block_datum(block));
    if (!block.tiles.empty()) places.emplace_back(block.name, placement_datum(block));
  }
  for (const Region& region : map.regions) {
    bases.emplace_back(region_name(region), text(fmt::format("{:#x}", region.base)));
  }
  file.emplace_back("clocks", Datum{std::move(clock_map)});
  file.emplace_back("blocks", Datum{std::move(block_map)});
  file.emplace_back("placement", Datum{std::move(places)});
  file.emplace_back("memory_map", Datum{std::move(bases)});
  file.emplace_back("mapping", mapping_params().datum(AnyParams::of(mapping)));
  return {std::move(file)};
}

MachineView machine_view(const SocSpec& spec) {
  MachineView view;
  view.soc = spec.name;
  for (const BlockSpec* block : spec.accelerators()) {
    view.accelerators.push_back(block->entry->accelerator(block->params, block->clock));
    view.accelerators.back().name = block->name;
    view.accelerators.back().dtypes_place = block->where("dtypes");
    view.accelerators.back().scratchpad_place = block->where("scratchpad.capacity");
    view.accelerators.back().accumulator_place = block->where("accumulator");
  }
  view.dram = memory_view(spec, spec.dram());
  if (const BlockSpec* l2 = spec.l2()) {
    const MemoryCapabilities memory = memory_view(spec, *l2);
    (memory.cache_line > Bytes::zero() ? view.cache : view.l2) = memory;
  }
  view.host = spec.host().entry->host(spec.host().params, spec.host().clock);
  view.host.name = spec.host().name;
  view.mapping = spec.mapping;
  return view;
}

}  // namespace archsim
