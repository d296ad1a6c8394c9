// `--set PATH=VALUE`, applied to the tree of a SoC file before anything is checked, so that a setting and a line of the file get
// the same checks and the same messages.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arch/describe/yaml.h"

namespace archsim {

/// A block as a path names it: `npu` or `npu[2]`.
struct BlockName {
  std::string group;
  std::optional<std::string> index;  // as written; none for the whole group
};
BlockName block_name_of(const std::string& text);

struct InstanceSetting {
  std::string index;      // between the brackets, as written
  Assignment assignment;  // its path starts with the block
};

struct SettledFile {
  YamlNode root;
  std::map<std::string, std::vector<InstanceSetting>> of_instances;  // by group, in order
};

/// The keys of a SoC file.
const std::vector<std::string>& soc_file_keys();

/// `root` with the settings that concern the file or a whole group; those for single instances stand apart.
SettledFile apply_settings(YamlNode root, const std::vector<std::string>& settings, Diagnostics& out);
SettledFile apply_settings(YamlNode root, const std::vector<Assignment>& settings, Diagnostics& out);

}  // namespace archsim
