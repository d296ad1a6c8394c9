#include "app/pictures/roofline/memory_path.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace archsim {
namespace {

unsigned index_of(const FabricCapabilities& grid, Tile tile) { return tile.row * grid.columns + tile.column; }

}  // namespace

double MemoryPath::achievable() const { return std::min({device, ports, links, dmas}); }

MemoryPath path_to(const SocSpec& spec, const BlockSpec& block, const MemoryCapabilities& memory,
                   const MachineView& machine) {
  const BlockSpec& interconnect = spec.interconnect();
  const auto grid = interconnect.entry->fabric(interconnect.params, interconnect.clock);
  std::vector<unsigned> sources, sinks;
  for (const Tile tile : block.tiles) sources.push_back(index_of(grid, tile));
  for (const BlockSpec* accelerator : spec.accelerators()) sinks.push_back(index_of(grid, accelerator->tiles.front()));
  const MemoryCapabilities alone = block.entry->memory(block.params, block.clock);
  MemoryPath path{.device = alone.delivered.value > 0.0 ? alone.delivered.value : alone.peak.value,
                  .ports = grid.link.value * static_cast<double>(block.tiles.size()),
                  .links = std::numeric_limits<double>::infinity()};
  const Bytes burst = machine.accelerators.front().dma_burst;
  if (grid.uniform_limit) path.links = grid.uniform_limit(sources, sinks, burst).value;
  for (const auto& can : machine.accelerators) {
    path.dmas += static_cast<double>(can.dma_outstanding * can.dma_burst.value) / seconds(memory.latency);
  }
  return path;
}

}  // namespace archsim
