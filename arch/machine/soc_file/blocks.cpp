#include "arch/machine/soc_file/blocks.h"

#include <algorithm>
#include <optional>

#include "arch/describe/near_name.h"
#include "arch/describe/values/value.h"

namespace archsim {
namespace {

constexpr unsigned kMostInstances = 1024;  // assumed: more is a slip of the keyboard

constexpr unsigned kHighestPriority = 15;  // as AXI's AxQOS

/// Names of blocks and clocks stand in paths of `--set`, in JSON keys and in columns.
bool check_name(const YamlNode& key, const std::string& what, Diagnostics& out) {
  const std::string& name = key.scalar();
  const auto legal = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  if (!name.empty() && name.front() >= 'a' && name.front() <= 'z' && std::all_of(name.begin(), name.end(), legal)) {
    return true;
  }
  out.error(key.location(), "`" + name + "` is no name for a " + what,
            "lower-case letters, digits and `_`, a letter first");
  return false;
}

/// Reads one group: what is common to its instances, then each instance with its own settings.
class GroupReader {
 public:
  GroupReader(const YamlEntry& group, const Clocks& clocks, const Catalog& catalog, Diagnostics& out)
      : name_(group.name()), where_(group.key.location()), clocks_(clocks), catalog_(catalog), out_(out) {}

  std::vector<BlockSpec> read(const YamlNode& map, const std::vector<InstanceSetting>& settings) {
    const auto count = read_count(map);
    std::vector<YamlNode> maps(count.value_or(1), map);
    number_ = maps.size();
    // Without a count nobody knows which instances there are.
    const std::vector<bool> stands_apart = count ? apply(settings, maps) : std::vector<bool>(maps.size(), false);
    std::optional<std::optional<BlockSpec>> common;  // of all instances without settings of their own
    std::vector<BlockSpec> blocks;
    for (std::size_t i = 0; i < maps.size(); ++i) {
      if (!stands_apart[i] && !common) common = read_instance(map);
      auto block = stands_apart[i] ? read_instance(maps[i]) : *common;
      if (!block) continue;
      block->name = map.find("count") == nullptr ? name_ : name_ + std::to_string(i);
      blocks.push_back(std::move(*block));
    }
    return count && blocks.size() == maps.size() ? blocks : std::vector<BlockSpec>{};
  }

  /// Empty if it is not known. After read().
  const std::string& kind() const { return kind_; }
  std::size_t number() const { return number_; }

 private:
  std::optional<unsigned> read_count(const YamlNode& map) {
    const YamlEntry* entry = map.find("count");
    if (entry == nullptr) return 1;
    unsigned count = 0;
    if (!ValueCodec<unsigned>::read(entry->value, "count", count, out_)) return {};
    if (count >= 1 && count <= kMostInstances) return count;
    out_.error(entry->value.location(),
               "`count` is " + std::to_string(count) + ", outside 1 .. " + std::to_string(kMostInstances),
               "`count`: instances of the block");
    return {};
  }

  /// Which instances have settings of their own.
  std::vector<bool> apply(const std::vector<InstanceSetting>& settings, std::vector<YamlNode>& maps) {
    std::vector<bool> stands_apart(maps.size(), false);
    for (const InstanceSetting& setting : settings) {
      const YamlNode& head = setting.assignment.path.front();
      const auto index = detail::parse_whole(setting.index, maps.size() - 1);
      if (!index) {
        out_.error(head.location(), "there is no `" + head.scalar() + "`",
                   maps.size() == 1 ? "`" + name_ + "` is one block: `" + name_ + "[0]`"
                                    : "`" + name_ + "[0]` to `" + name_ + "[" + std::to_string(maps.size() - 1) + "]`");
        continue;
      }
      const std::vector<YamlNode> path(setting.assignment.path.begin() + 1, setting.assignment.path.end());
      if (path.empty() || path.front().scalar() == "count") {
        out_.error(head.location(), "a setting of one instance names one of its params",
                   "write it like `" + head.scalar() + ".model=...`");
        continue;
      }
      maps[*index.value] = maps[*index.value].with(path, setting.assignment.value);
      stands_apart[*index.value] = true;
    }
    return stands_apart;
  }

  std::optional<BlockSpec> read_instance(const YamlNode& map) {
    BlockSpec block;
    block.group = name_;
    block.entry = read_model(map);
    if (block.entry == nullptr) return {};
    ReadOptions options{block.entry->kind + " model `" + block.entry->model + "`",
                        {"kind", "model", "count", "priced"}};
    bool good = read_priced(map, block);
    if (block.entry->has_clock) {
      options.other_keys.emplace_back("clock");
      good = read_clock(map, block) && good;
    }
    if (block.entry->sends_transactions()) {
      options.other_keys.emplace_back("noc_priority");
      good = read_priority(map, block) && good;
    }
    Diagnostics found;
    block.params = block.entry->params.read(map, options, found);
    block.where = [map, where = where_](std::string_view path) { return place_of(map, path, where); };
    if (!found.has_errors() && block.entry->check) block.entry->check(block.params, block.where, found);
    good = good && !found.has_errors();
    out_.append(found);
    if (!good) return {};
    return block;
  }

  bool read_priced(const YamlNode& map, BlockSpec& block) {
    const bool has_costs = static_cast<bool>(block.entry->costs);
    block.is_priced = has_costs;
    const YamlEntry* entry = map.find("priced");
    if (entry == nullptr) return true;
    if (!ValueCodec<bool>::read(entry->value, "priced", block.is_priced, out_)) return false;
    if (has_costs || !block.is_priced) return true;
    out_.error(entry->value.location(),
               block.entry->kind + " model `" + block.entry->model + "` does not say what its events cost",
               "leave it out of the price: `priced: false`");
    return false;
  }

  bool read_priority(const YamlNode& map, BlockSpec& block) {
    const YamlEntry* entry = map.find("noc_priority");
    if (entry == nullptr) return true;
    const std::string text = entry->value.is_scalar() ? entry->value.scalar() : "";
    const auto priority = detail::parse_whole(text, kHighestPriority);
    if (priority) {
      block.noc_priority = static_cast<unsigned>(*priority.value);
      return true;
    }
    out_.error(entry->value.location(),
               "`noc_priority` is " + (text.empty() ? "no number" : "`" + text + "`") +
                   ", not a whole number within 0 .. " + std::to_string(kHighestPriority),
               "`noc_priority`: of the block's packets on the interconnect; higher ones go first");
    return false;
  }

  const YamlEntry* required(const YamlNode& map, const std::string& key, const std::string& help) {
    const YamlEntry* entry = map.find(key);
    if (entry == nullptr) {
      out_.error(where_, "block `" + name_ + "` has no `" + key + "`", help);
    } else if (!entry->value.is_scalar()) {
      out_.error(entry->value.location(), "`" + key + "` is a name", help);
      return nullptr;
    }
    return entry;
  }

  const CatalogEntry* read_model(const YamlNode& map) {
    const YamlEntry* kind = required(map, "kind", "one of " + quoted_list(catalog_.kinds()));
    if (kind == nullptr) return nullptr;
    const auto models = catalog_.models_of(kind->value.scalar());
    if (models.empty()) {
      out_.error(kind->value.location(), "there is no kind of block `" + kind->value.scalar() + "`",
                 help_for_unknown(kind->value.scalar(), catalog_.kinds()));
      return nullptr;
    }
    kind_ = kind->value.scalar();
    const YamlEntry* model = required(map, "model", "one of " + quoted_list(models));
    if (model == nullptr) return nullptr;
    const CatalogEntry* entry = catalog_.find(kind->value.scalar(), model->value.scalar());
    if (entry == nullptr) {
      out_.error(model->value.location(),
                 "kind `" + kind->value.scalar() + "` has no model `" + model->value.scalar() + "`",
                 help_for_unknown(model->value.scalar(), models));
    }
    return entry;
  }

  bool read_clock(const YamlNode& map, BlockSpec& block) {
    std::vector<std::string> names;
    for (const auto& clock : clocks_) names.push_back(clock.first);
    const YamlEntry* entry = required(map, "clock", "one of " + quoted_list(names));
    if (entry == nullptr) return false;
    block.clock_name = entry->value.scalar();
    for (const auto& [name, frequency] : clocks_) {
      if (name != block.clock_name) continue;
      block.clock = frequency;
      return true;
    }
    out_.error(entry->value.location(), "there is no clock `" + block.clock_name + "`",
               help_for_unknown(block.clock_name, names));
    return false;
  }

  static Location place_of(const YamlNode& map, std::string_view path, const Location& block) {
    YamlNode node = map;
    Location place = block;
    while (!path.empty()) {
      const auto dot = path.find('.');
      const YamlEntry* entry = node.find(path.substr(0, dot));
      if (entry == nullptr) return place;
      place = entry->value.location();
      node = entry->value;
      path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
    }
    return place;
  }

  std::string name_;
  Location where_;
  const Clocks& clocks_;
  const Catalog& catalog_;
  Diagnostics& out_;
  std::string kind_;
  std::size_t number_ = 0;
};

/// `count: 4` makes npu0 to npu3; another group must not be called so.
void refuse_names_in_use(const std::vector<BlockSpec>& before, const std::vector<BlockSpec>& added,
                         const Location& where, Diagnostics& out) {
  for (const BlockSpec& block : added) {
    for (const BlockSpec& other : before) {
      if (other.name != block.name) continue;
      out.error(where, "two blocks are called `" + block.name + "`",
                "the other one is of `" + other.group + "`; give one of them another name");
      return;
    }
  }
}

std::vector<BlockSpec> read_group(const YamlEntry& group, const SettledFile& file, const Clocks& clocks,
                                  const Catalog& catalog, BlocksRead& read, Diagnostics& out) {
  const auto settings = file.of_instances.find(group.name());
  GroupReader reader(group, clocks, catalog, out);
  auto blocks =
      reader.read(group.value, settings == file.of_instances.end() ? std::vector<InstanceSetting>{} : settings->second);
  if (reader.kind().empty()) {
    read.every_kind_is_known = false;
  } else {
    KindRead& kind = read.kinds[reader.kind()];
    kind.number += reader.number();
    kind.last = group.key.location();
  }
  return blocks;
}

}  // namespace

Clocks read_clocks(const YamlNode& node, Diagnostics& out) {
  Clocks clocks;
  if (!node.is_map()) {
    out.error(node.location(), "`clocks` is a map of names and frequencies", "write it like `clocks: {npu: 1 GHz}`");
    return clocks;
  }
  for (const YamlEntry& entry : node.entries()) {
    check_name(entry.key, "clock", out);
    Frequency frequency = Frequency::zero();
    const bool read = ValueCodec<Frequency>::read(entry.value, entry.name(), frequency, out);
    if (read && (frequency < 1_MHz || frequency > 10_GHz)) {
      out.error(entry.value.location(),
                "clock `" + entry.name() + "` is " + show(frequency) + ", outside 1 MHz .. 10 GHz",
                "write it like `" + entry.name() + ": 1.2 GHz`");
    }
    // A clock with a mistake is still a clock: blocks that name it are not wrong.
    clocks.emplace_back(entry.name(), read ? frequency : 1_GHz);
  }
  return clocks;
}

BlocksRead read_blocks(const YamlNode& node, const SettledFile& file, const Clocks& clocks, const Catalog& catalog,
                       Diagnostics& out) {
  BlocksRead read;
  if (!node.is_map()) {
    out.error(node.location(), "`blocks` is a map of blocks", "write it like `npu: {kind: accel, model: systolic}`");
    read.complete = false;
    return read;
  }
  for (const YamlEntry& group : node.entries()) {
    read.groups.emplace(group.name(), group.key.location());
    const bool is_named = check_name(group.key, "block", out);
    std::vector<BlockSpec> blocks;
    if (group.value.is_map()) {
      blocks = read_group(group, file, clocks, catalog, read, out);
    } else {
      out.error(group.value.location(), "block `" + group.name() + "` is a map of its params",
                "write it like `" + group.name() + ": {kind: accel, model: systolic}`");
      read.every_kind_is_known = false;
    }
    if (!is_named) blocks.clear();
    refuse_names_in_use(read.blocks, blocks, group.key.location(), out);
    read.complete = read.complete && !blocks.empty();
    read.blocks.insert(read.blocks.end(), blocks.begin(), blocks.end());
  }
  return read;
}

}  // namespace archsim
