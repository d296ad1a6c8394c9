// The `clocks` and `blocks` sections of a SoC file.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "arch/describe/yaml.h"
#include "arch/machine/soc_file/settings.h"
#include "arch/machine/soc_spec.h"

namespace archsim {

using Clocks = std::vector<std::pair<std::string, Frequency>>;

/// The blocks of one kind, as far as `kind` and `count` can be read, mistakes elsewhere or not.
struct KindRead {
  std::size_t number = 0;
  Location last;  // the name of its last group
};

struct BlocksRead {
  std::vector<BlockSpec> blocks;           // in file order; those with mistakes are left out
  std::map<std::string, Location> groups;  // where each group's name stands; all groups
  bool complete = true;                    // none was left out
  std::map<std::string, KindRead> kinds;
  bool every_kind_is_known = true;
};

Clocks read_clocks(const YamlNode& node, Diagnostics& out);
BlocksRead read_blocks(const YamlNode& node, const SettledFile& file, const Clocks& clocks, const Catalog& catalog,
                       Diagnostics& out);

}  // namespace archsim
