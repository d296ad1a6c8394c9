#include "arch/machine/soc_file/placement.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

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

/// Judges what can be judged: without an interconnect the form of each place and names that are no block's, without a block's params
/// everything but the number of its places.
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
      } else if (interconnect_ != nullptr && entry.name() == interconnect_->group) {
        out_.error(entry.key.location(), "`" + entry.name() + "` is the interconnect and stands on no tile");
      } else if (!is_auto(entry.value)) {
        read_group(entry);
      }
    }
  }

  /// Only if no block was left out.
  void place_the_rest() {
    if (interconnect_ == nullptr) return;
    std::vector<BlockSpec*> rest;
    std::size_t needed = 0;
    for (BlockSpec& block : blocks_) {
      needed += endpoints_of(block);
      if (block.tiles.empty() && endpoints_of(block) > 0) rest.push_back(&block);
    }
    const std::size_t tiles = std::size_t{grid_.columns} * grid_.rows;
    if (needed > tiles) {
      out_.error(groups_.at(interconnect_->group),
                 "`" + interconnect_->name + "` has " + plural(tiles, "tile") + ", and the blocks need " +
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
    if (blocks.empty()) return read_places_of_nobody(entry);
    const auto& items = entry.value.items();
    if (needed == 1 && items.size() == 2 && items[0].is_scalar() && items[1].is_scalar()) {
      out_.error(entry.value.location(), "the places of `" + entry.name() + "` are a list, and this is one place",
                 "write it like `[[" + items[0].scalar() + ", " + items[1].scalar() + "]]`");
      return;
    }
    if (items.size() != needed) {
      out_.error(
          entry.value.location(),
          "`" + entry.name() + "` needs " + plural(needed, "place") + " and gets " + std::to_string(items.size()),
          "one [column, row] an endpoint, or `auto`");
      return;
    }
    std::size_t next = 0;
    for (BlockSpec* block : blocks) {
      for (unsigned i = 0; i < endpoints_of(*block); ++i) {
        const auto tile = read_tile(items[next++], block->name);
        if (tile) block->tiles.push_back(*tile);
      }
    }
  }

  /// The block has mistakes of its own, so that its endpoints are unknown.
  void read_places_of_nobody(const YamlEntry& entry) {
    if (!entry.value.is_sequence()) {
      out_.error(entry.value.location(), "the places of `" + entry.name() + "` are a list, or `auto`",
                 "one [column, row] an endpoint");
    }
    for (const YamlNode& place : entry.value.items()) read_tile(place, entry.name());
  }

  static std::optional<Tile> read_pair(const YamlNode& node) {
    if (!node.is_sequence() || node.items().size() != 2) return {};
    const auto column = detail::parse_whole(node.items()[0].scalar(), std::numeric_limits<unsigned>::max());
    const auto row = detail::parse_whole(node.items()[1].scalar(), std::numeric_limits<unsigned>::max());
    if (!column || !row) return {};
    return Tile{static_cast<unsigned>(*column.value), static_cast<unsigned>(*row.value)};
  }

  /// A tile of the interconnect that was free until now.
  std::optional<Tile> read_tile(const YamlNode& node, const std::string& name) {
    const auto pair = read_pair(node);
    if (!pair) {
      out_.error(node.location(), "a place of `" + name + "` is [column, row]", "two whole numbers, like `[0, 3]`");
      return {};
    }
    const Tile tile = *pair;
    if (interconnect_ != nullptr && (tile.column >= grid_.columns || tile.row >= grid_.rows)) {
      out_.error(
          node.location(), "`" + name + "` at " + text_of(tile) + " lies outside `" + interconnect_->name + "`",
          "it has " + plural(grid_.columns, "column") + " and " + plural(grid_.rows, "row") + ", counted from 0");
      return {};
    }
    const auto [taken, is_free] = taken_.emplace(std::pair(tile.row, tile.column), name);
    if (is_free) return tile;
    const std::string both =
        name == taken->second ? "two endpoints of `" + name + "`" : "`" + name + "` and `" + taken->second + "`";
    out_.error(node.location(), both + " stand on one tile, " + text_of(tile), "each endpoint needs a tile of its own");
    return {};
  }

  void place_next(BlockSpec& block) {
    for (; next_ < grid_.columns * grid_.rows; ++next_) {
      const Tile tile{next_ % grid_.columns, next_ / grid_.columns};
      if (!taken_.emplace(std::pair(tile.row, tile.column), block.name).second) continue;
      block.tiles.push_back(tile);
      return;
    }
    // Reached only after a mistake told already.
  }

  const std::map<std::string, Location>& groups_;
  std::vector<BlockSpec>& blocks_;
  Diagnostics& out_;
  FabricCapabilities grid_;
  const BlockSpec* interconnect_ = nullptr;
  unsigned next_ = 0;                                           // all tiles before it, row by row, are taken
  std::map<std::pair<unsigned, unsigned>, std::string> taken_;  // who stands on each tile [row, column]
};

}  // namespace

unsigned endpoints_of(const BlockSpec& block) {
  if (block.entry->fabric) return 0;
  return block.entry->memory ? block.entry->memory(block.params, block.clock).interleave.ports : 1;
}

void place_blocks(const YamlEntry* placement, const BlocksRead& read, std::vector<BlockSpec>& blocks,
                  Diagnostics& out) {
  Placer placer(read.groups, blocks, out);
  if (placement != nullptr) placer.read(placement->value);
  if (read.complete) placer.place_the_rest();
}

bool is_cache(const BlockSpec& block) {
  return block.entry->memory && block.entry->memory(block.params, block.clock).cache_line > Bytes::zero();
}

void check_priorities(const std::vector<BlockSpec>& blocks, Diagnostics& out) {
  std::set<unsigned> used;
  const BlockSpec* interconnect = nullptr;
  for (const BlockSpec& block : blocks) {
    if (block.entry->sends_transactions()) used.insert(block.noc_priority);
    if (block.entry->fabric) interconnect = &block;
  }
  const unsigned most = interconnect->entry->fabric(interconnect->params, interconnect->clock).most_classes;
  if (used.size() <= most) return;
  for (const BlockSpec& block : blocks) {
    if (block.noc_priority == 0) continue;
    out.error(block.where("noc_priority"),
              "the blocks have " + std::to_string(used.size()) + " different `noc_priority`, and `" +
                  interconnect->name + "` can tell " + (most == 1 ? "one" : std::to_string(most)) + " apart",
              "each needs virtual channels of its own: more `vcs` of `" + interconnect->name + "`");
    return;
  }
}

Fabric fabric_of(const std::vector<BlockSpec>& blocks) {
  Fabric fabric;
  for (const BlockSpec& block : blocks) {
    const CatalogEntry& entry = *block.entry;
    const bool initiates = entry.sends_transactions() || is_cache(block);
    for (unsigned port = 0; port < block.tiles.size(); ++port) {
      const Attachment attachment{block.name, port, block.tiles[port].column, block.tiles[port].row,
                                  block.noc_priority};
      if (initiates) fabric.initiators.push_back(attachment);
      if (!entry.is_initiator) fabric.targets.push_back(attachment);
    }
  }
  return fabric;
}

}  // namespace archsim
