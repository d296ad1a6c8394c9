// The machine as data: what a SoC file says, checked and with everything derived that the file leaves out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arch/cost/tech.h"
#include "arch/describe/diagnostic.h"
#include "arch/describe/table.h"
#include "arch/describe/yaml.h"
#include "arch/machine/capabilities.h"
#include "arch/machine/catalog.h"
#include "arch/machine/mapping_options.h"
#include "arch/machine/memory_map.h"
#include "arch/units/quantity.h"

namespace archsim {

struct Tile {
  unsigned column = 0, row = 0;
  friend bool operator==(Tile, Tile) = default;
};

/// One instance of a block of the file: `npu: {count: 4}` makes npu0 .. npu3.
struct BlockSpec {
  std::string name;   // "npu2"
  std::string group;  // "npu"
  const CatalogEntry* entry = nullptr;
  std::string clock_name;  // empty if the model brings its own clock
  Frequency clock = Frequency::zero();
  unsigned noc_priority = 0;  // of an initiator
  bool is_priced = true;      // `priced: false`: simulated, and no part of energy, power and area
  AnyParams params;
  ParamLocation where;      // where the user wrote a param, or the block
  std::vector<Tile> tiles;  // one an endpoint; none for the interconnect
};

struct SocSpec {
  std::string name;
  std::optional<std::string> tech;
  TechChoice tech_choice;  // the same with what the file or `--set tech.NAME=VALUE` puts in place of coefficients
  std::vector<std::pair<std::string, Frequency>> clocks;
  std::vector<BlockSpec> blocks;  // in the order of the file
  MemoryMap map;
  Fabric fabric;
  MappingOptions mapping;

  /// Null if there is none.
  const BlockSpec* find(std::string_view block) const;
  std::vector<const BlockSpec*> accelerators() const;
  const BlockSpec& dram() const;
  const BlockSpec* l2() const;  // null if there is none
  const BlockSpec& host() const;
  const BlockSpec& interconnect() const;

  /// As a SoC file would say it, every param, place and base address written down.
  Datum resolved() const;
};

/// The table of the section `mapping`.
const ParamTable& mapping_params();

/// Reads a SoC file. `settings` are the texts of `--set PATH=VALUE`, applied in order: `npu.rows=128` sets all of a group,
/// `npu[2].rows=128` one instance, `clocks.npu=1.2 GHz` a clock,
/// `mapping.fuse.linear_glu=false` an option of the mapping. Tells every mistake, each where the user wrote it.
Checked<SocSpec> read_soc(const Source& source, const std::vector<std::string>& settings, const Catalog& catalog);

/// The same of a file that has been parsed, with settings that stand in another file: each mistake is told where it stands.
Checked<SocSpec> read_soc(const YamlNode& root, const std::vector<Assignment>& settings, const Catalog& catalog);

/// The machine as the mapper and the roofline see it.
MachineView machine_view(const SocSpec& spec);

}  // namespace archsim
