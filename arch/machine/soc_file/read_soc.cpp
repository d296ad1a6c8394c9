#include <algorithm>

#include "arch/describe/near_name.h"
#include "arch/machine/soc_file/blocks.h"
#include "arch/machine/soc_file/map.h"
#include "arch/machine/soc_file/placement.h"
#include "arch/machine/soc_file/settings.h"
#include "arch/machine/soc_spec.h"

namespace archsim {
namespace {

struct Need {
  std::string_view kind;
  std::size_t least, most;
  std::string_view why;
};
constexpr Need kNeeds[] = {
    {"accel", 1, 1024, "a workload runs on accelerators"},
    {"cpu", 1, 1, "the cpu starts the work and runs what the accelerators lack"},
    {"dram", 1, 1, "weights and inputs live in DRAM"},
    {"noc", 1, 1, "the interconnect joins the blocks"},
    {"sram", 0, 1, "the shared scratch memory"},
};

void check_needs(const std::vector<BlockSpec>& blocks, const BlocksRead& read, const Location& where,
                 Diagnostics& out) {
  for (const Need& need : kNeeds) {
    const auto of_kind = [&](const BlockSpec& block) { return block.entry->kind == need.kind; };
    const auto number = static_cast<std::size_t>(std::count_if(blocks.begin(), blocks.end(), of_kind));
    const std::string kind(need.kind);
    if (number < need.least) {
      out.error(where, "the SoC has no block of kind `" + kind + "`", std::string(need.why));
    } else if (number > need.most) {
      const auto last = std::find_if(blocks.rbegin(), blocks.rend(), of_kind);
      out.error(read.groups.at(last->group), "the SoC has " + std::to_string(number) + " blocks of kind `" + kind + "`",
                "one at most");
    }
  }
}

/// Mistakes of a group are found again in each of its instances with settings of their own.
Diagnostics without_repeats(const Diagnostics& all) {
  Diagnostics once;
  for (const Diagnostic& candidate : all.all()) {
    const auto same = [&](const Diagnostic& other) {
      return other.message == candidate.message && other.location.source == candidate.location.source &&
             other.location.line == candidate.location.line && other.location.column == candidate.location.column;
    };
    if (std::none_of(once.all().begin(), once.all().end(), same)) once.add(candidate);
  }
  return once;
}

std::string name_from(const YamlEntry* entry, const char* key, Diagnostics& out) {
  if (entry == nullptr) return {};
  if (entry->value.is_scalar() && !entry->value.scalar().empty()) return entry->value.scalar();
  out.error(entry->value.location(), "`" + std::string(key) + "` is a name");
  return {};
}

SocSpec read_file(const SettledFile& file, const Catalog& catalog, Diagnostics& out) {
  SocSpec spec;
  MapReader reader(file.root, "a SoC file", out);
  spec.name = name_from(reader.required("soc"), "soc", out);
  const YamlEntry* tech = reader.optional("tech");
  if (tech != nullptr) spec.tech = name_from(tech, "tech", out);
  const YamlEntry* clocks = reader.required("clocks");
  const YamlEntry* blocks = reader.required("blocks");
  const YamlEntry* placement = reader.optional("placement");
  const YamlEntry* memory_map = reader.optional("memory_map");
  reader.refuse_others();
  if (clocks != nullptr) spec.clocks = read_clocks(clocks->value, out);
  if (blocks == nullptr) return spec;

  BlocksRead read = read_blocks(blocks->value, file, spec.clocks, catalog, out);
  if (read.complete) check_needs(read.blocks, read, blocks->key.location(), out);
  spec.blocks = std::move(read.blocks);
  const auto is_interconnect = [](const BlockSpec& block) { return block.entry->fabric != nullptr; };
  if (std::none_of(spec.blocks.begin(), spec.blocks.end(), is_interconnect)) return spec;
  place_blocks(placement, read.groups, spec.blocks, out);
  if (out.has_errors()) return spec;
  spec.fabric = fabric_of(spec.blocks);
  spec.map = derive_map(spec.blocks, spec.fabric, memory_map, out);
  return spec;
}

}  // namespace

Checked<SocSpec> read_soc(const Source& source, const std::vector<std::string>& settings, const Catalog& catalog) {
  Diagnostics found;
  const auto root = parse_yaml(source, found);
  if (!root) return found;
  const SettledFile file = apply_settings(*root, settings, found);
  SocSpec spec = read_file(file, catalog, found);
  found = without_repeats(found);
  if (found.has_errors()) return found;
  return {std::move(spec), std::move(found)};
}

}  // namespace archsim
