#include <algorithm>
#include <optional>

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

void check_needs(const BlocksRead& read, const Location& where, Diagnostics& out) {
  for (const Need& need : kNeeds) {
    const std::string kind(need.kind);
    const auto found = read.kinds.find(kind);
    const std::size_t number = found == read.kinds.end() ? 0 : found->second.number;
    // A block whose kind is misspelt may be the one that seems to be missing.
    if (number < need.least && read.every_kind_is_known) {
      out.error(where, "the SoC has no block of kind `" + kind + "`", std::string(need.why));
    } else if (number > need.most) {
      out.error(found->second.last, "the SoC has " + std::to_string(number) + " blocks of kind `" + kind + "`",
                need.most == 1 ? "one at most" : std::to_string(need.most) + " at most");
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

/// The SoC's name stands in titles, JSON and file names of reports.
constexpr std::size_t kLongestName = 100;  // assumed: a line of a report

std::string name_from(const YamlEntry* entry, Diagnostics& out) {
  if (entry == nullptr) return {};
  const std::string key = entry->name();
  const std::string& name = entry->value.scalar();
  if (name.empty()) {
    out.error(entry->value.location(), "`" + key + "` is a name", "write it like `" + key + ": edge_lpddr5`");
    return {};
  }
  const auto printable = [](char c) { return c >= ' ' && c < 0x7F; };
  if (!std::all_of(name.begin(), name.end(), printable) || name.front() == ' ' || name.back() == ' ') {
    out.error(entry->value.location(), "`" + key + "` has characters that are no part of a name",
              "letters, digits and signs of ASCII on one line, no blank first or last");
  } else if (name.size() > kLongestName) {
    out.error(entry->value.location(), "`" + key + "` has " + std::to_string(name.size()) + " characters",
              std::to_string(kLongestName) + " at most");
  }
  return name;
}

/// `tech: n7`, or `tech: {name: n7, mac_int8: 0.1 pJ}`.
TechChoice read_technology(const YamlEntry* entry, Diagnostics& out) {
  if (entry == nullptr) return {};
  const YamlNode& node = entry->value;
  const YamlEntry* named = node.find("name");
  TechChoice choice{node.is_map() && named != nullptr ? named->value.scalar() : node.scalar(), node.location(), {}};
  if (node.is_map() && named == nullptr) {
    out.error(node.location(), "`tech` has no `name`", "write it like `tech: {name: n7, mac_int8: 0.1 pJ}`");
    return {};
  }
  if (named != nullptr) choice.where = named->value.location();
  for (const YamlEntry& each : node.entries()) {
    if (each.name() != "name") choice.overrides.push_back(each);
  }
  const auto known = technologies(node.location().source == nullptr ? std::string() : node.location().source->path);
  if (std::find(known.begin(), known.end(), choice.name) != known.end()) {
    if (!choice.overrides.empty()) out.append(find_tech(choice).diagnostics());
    return choice;
  }
  const std::string what = node.is_scalar() || node.is_map()
                               ? "there is no technology `" + choice.name + "`"
                               : "`tech` is a name, not " + std::string(kind_in_words(node.kind()));
  out.error(choice.where, what, "one of " + quoted_list(known));
  return {};
}

/// Those that concern the machine; null where the file has none.
struct SocSections {
  const YamlEntry* blocks = nullptr;
  const YamlEntry* placement = nullptr;
  const YamlEntry* memory_map = nullptr;
};

void read_machine(const SocSections& sections, const SettledFile& file, const Catalog& catalog, SocSpec& spec,
                  Diagnostics& out) {
  BlocksRead read = read_blocks(sections.blocks->value, file, spec.clocks, catalog, out);
  if (sections.blocks->value.is_map()) check_needs(read, sections.blocks->key.location(), out);
  spec.blocks = std::move(read.blocks);
  place_blocks(sections.placement, read, spec.blocks, out);
  if (!out.has_errors()) check_priorities(spec.blocks, out);
  if (out.has_errors()) return check_map(sections.memory_map, read, spec.blocks, out);
  spec.fabric = fabric_of(spec.blocks);
  spec.map = derive_map(spec.blocks, spec.fabric, sections.memory_map, out);
}

/// A clock that drives nothing is perhaps a misspelt one.
void warn_of_idle_clocks(const YamlEntry& clocks, const SocSpec& spec, Diagnostics& out) {
  for (const YamlEntry& clock : clocks.value.entries()) {
    const auto drives = [&](const BlockSpec& block) { return block.clock_name == clock.name(); };
    if (std::any_of(spec.blocks.begin(), spec.blocks.end(), drives)) continue;
    out.warning(clock.key.location(), "clock `" + clock.name() + "` drives no block",
                "give it to a block with `clock: " + clock.name() + "`, or leave it out");
  }
}

SocSpec read_file(const SettledFile& file, const Catalog& catalog, Diagnostics& out) {
  SocSpec spec;
  MapReader reader(file.root, "a SoC file", out);
  if (!file.root.is_map()) return spec;
  spec.name = name_from(reader.required("soc"), out);
  spec.tech_choice = read_technology(reader.optional("tech"), out);
  if (!spec.tech_choice.name.empty()) spec.tech = spec.tech_choice.name;
  const YamlEntry* clocks = reader.required("clocks");
  SocSections sections;
  sections.blocks = reader.required("blocks");
  sections.placement = reader.optional("placement");
  sections.memory_map = reader.optional("memory_map");
  if (const YamlEntry* mapping = reader.optional("mapping"))
    spec.mapping = mapping_params().read(mapping->value, {.owner = "`mapping`"}, out).get<MappingOptions>();
  reader.refuse_others();
  if (clocks != nullptr) spec.clocks = read_clocks(clocks->value, out);
  if (sections.blocks != nullptr) read_machine(sections, file, catalog, spec, out);
  if (!out.has_errors()) warn_of_idle_clocks(*clocks, spec, out);
  return spec;
}

Checked<SocSpec> read_settled(const SettledFile& file, const Catalog& catalog, Diagnostics found) {
  SocSpec spec = read_file(file, catalog, found);
  found = without_repeats(found);
  if (found.has_errors()) return found;
  return {std::move(spec), std::move(found)};
}

}  // namespace

const ParamTable& mapping_params() {
  static const ParamTable table = ParamTable::of<MappingOptions>();
  return table;
}

Checked<SocSpec> read_soc(const Source& source, const std::vector<std::string>& settings, const Catalog& catalog) {
  Diagnostics found;
  const auto root = parse_yaml(source, found);
  if (!root) return found;
  const SettledFile file = apply_settings(*root, settings, found);
  return read_settled(file, catalog, std::move(found));
}

Checked<SocSpec> read_soc(const YamlNode& root, const std::vector<Assignment>& settings, const Catalog& catalog) {
  Diagnostics found;
  const SettledFile file = apply_settings(root, settings, found);
  return read_settled(file, catalog, std::move(found));
}

}  // namespace archsim
