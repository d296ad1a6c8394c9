#include "arch/machine/soc_file/placement.h"

#include <algorithm>
#include <optional>

#include "arch/describe/near_name.h"
#include "arch/describe/values/value.h"

namespace archsim {
namespace {

std::string text_of(Tile tile) { return "[" + std::to_string(tile.column) + ", " + std::to_string(tile.row) + "]"; }

std::string plural(std::size_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

/// Accelerators, l2, DRAM, then the rest.
int rank_of(const BlockSpec& block) {
  if (block.entry->accelerator) return 0;
  if (block.entry->memory) return block.entry->kind == "dram" ? 2 : 1;
  return 3;
}

class Placer {
 public:
  Placer(const std::map<std::string, Location>& groups, std::vector<BlockSpec>& blocks, Diagnostics& out)
      : groups_(groups), blocks_(blocks), out_(out) {
    for (const BlockSpec& block : blocks) {
      if (block.entry->fabric) {
        grid_ = block.entry->fabric(block.params, block.clock);
        interconnect_ = &block;
      }
    }
    taken_.resize(std::size_t{grid_.columns} * grid_.rows);
  }

  void read(const YamlNode& node) {
    if (is_auto(node)) return;
    if (!node.is_map()) {
      out_.error(node.location(), "`placement` is a map of places, or `auto`", "write it like `npu: [[0, 0], [1, 0]]`");
      return;
    }
    for (const YamlEntry& entry : node.entries()) {
      if (!groups_.contains(entry.name())) {
        std::vector<std::string> names;
        for (const auto& group : groups_) names.push_back(group.first);
        out_.error(entry.key.location(), "`placement` has no block `" + entry.name() + "`",
                   help_for_unknown(entry.name(), names));
      } else if (entry.name() == interconnect_->group) {
        out_.error(entry.key.location(), "`" + entry.name() + "` is the interconnect and stands on no tile");
      } else if (!is_auto(entry.value)) {
        read_group(entry);
      }
    }
  }

  void place_the_rest() {
    std::vector<BlockSpec*> rest;
    std::size_t needed = 0;
    for (BlockSpec& block : blocks_) {
      needed += endpoints_of(block);
      if (block.tiles.empty() && endpoints_of(block) > 0) rest.push_back(&block);
    }
    if (needed > taken_.size()) {
      out_.error(groups_.at(interconnect_->group),
                 "`" + interconnect_->name + "` has " + plural(taken_.size(), "tile") + ", and the blocks need " +
                     std::to_string(needed),
                 "one each for accelerators and the cpu, one a port of DRAM, one a slice of l2");
      return;
    }
    std::stable_sort(rest.begin(), rest.end(),
                     [](const BlockSpec* a, const BlockSpec* b) { return rank_of(*a) < rank_of(*b); });
    for (BlockSpec* block : rest) {
      for (unsigned i = 0; i < endpoints_of(*block); ++i) place_next(*block);
    }
  }

 private:
  static bool is_auto(const YamlNode& node) { return node.is_scalar() && node.scalar() == "auto"; }

  void read_group(const YamlEntry& entry) {
    std::vector<BlockSpec*> blocks;
    std::size_t needed = 0;
    for (BlockSpec& block : blocks_) {
      if (block.group != entry.name()) continue;
      blocks.push_back(&block);
      needed += endpoints_of(block);
    }
    if (blocks.empty()) return;  // the block's own mistakes are told already
    if (entry.value.items().size() != needed) {
      out_.error(entry.value.location(),
                 "`" + entry.name() + "` needs " + plural(needed, "place") + " and gets " +
                     std::to_string(entry.value.items().size()),
                 "one [column, row] an endpoint, or `auto`");
      return;
    }
    std::size_t next = 0;
    for (BlockSpec* block : blocks) {
      for (unsigned i = 0; i < endpoints_of(*block); ++i) place(entry.value.items()[next++], *block);
    }
  }

  void place(const YamlNode& node, BlockSpec& block) {
    std::vector<unsigned> pair;
    if (!node.is_sequence() || node.items().size() != 2) {
      out_.error(node.location(), "a place of `" + block.name + "` is [column, row]", "write it like `[0, 3]`");
      return;
    }
    if (!ValueCodec<std::vector<unsigned>>::read(node, block.group, pair, out_)) return;
    const Tile tile{pair[0], pair[1]};
    if (tile.column >= grid_.columns || tile.row >= grid_.rows) {
      out_.error(
          node.location(), "`" + block.name + "` at " + text_of(tile) + " lies outside `" + interconnect_->name + "`",
          "it has " + plural(grid_.columns, "column") + " and " + plural(grid_.rows, "row") + ", counted from 0");
      return;
    }
    auto& taken = taken_[std::size_t{tile.row} * grid_.columns + tile.column];
    if (!taken.empty()) {
      out_.error(node.location(), "`" + block.name + "` and `" + taken + "` stand on one tile, " + text_of(tile),
                 "each endpoint needs a tile of its own");
      return;
    }
    taken = block.name;
    block.tiles.push_back(tile);
  }

  void place_next(BlockSpec& block) {
    const auto free = std::find(taken_.begin(), taken_.end(), std::string());
    if (free == taken_.end()) return;  // only after a mistake told already
    const auto index = static_cast<unsigned>(free - taken_.begin());
    *free = block.name;
    block.tiles.push_back({index % grid_.columns, index / grid_.columns});
  }

  const std::map<std::string, Location>& groups_;
  std::vector<BlockSpec>& blocks_;
  Diagnostics& out_;
  FabricCapabilities grid_;
  const BlockSpec* interconnect_ = nullptr;
  std::vector<std::string> taken_;  // who stands on each tile, row by row
};

}  // namespace

unsigned endpoints_of(const BlockSpec& block) {
  if (block.entry->fabric) return 0;
  return block.entry->memory ? block.entry->memory(block.params, block.clock).interleave.ports : 1;
}

void place_blocks(const YamlEntry* placement, const std::map<std::string, Location>& groups,
                  std::vector<BlockSpec>& blocks, Diagnostics& out) {
  Placer placer(groups, blocks, out);
  if (placement != nullptr) placer.read(placement->value);
  placer.place_the_rest();
}

Fabric fabric_of(const std::vector<BlockSpec>& blocks) {
  Fabric fabric;
  for (const BlockSpec& block : blocks) {
    const bool initiates = block.entry->accelerator || block.entry->host;
    for (unsigned port = 0; port < block.tiles.size(); ++port) {
      const Attachment attachment{block.name, port, block.tiles[port].column, block.tiles[port].row};
      if (initiates) fabric.initiators.push_back(attachment);
      fabric.targets.push_back(attachment);
    }
  }
  return fabric;
}

}  // namespace archsim
