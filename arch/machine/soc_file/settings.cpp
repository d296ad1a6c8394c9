#include "arch/machine/soc_file/settings.h"

#include <algorithm>

#include "arch/describe/near_name.h"

namespace archsim {
namespace {

std::vector<std::string> block_names(const YamlNode& root) {
  std::vector<std::string> names;
  const YamlEntry* blocks = root.find("blocks");
  if (blocks == nullptr) return names;
  for (const YamlEntry& block : blocks->value.entries()) names.push_back(block.name());
  return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// `--set` changes clocks and blocks that the file has; a new one is a slip of the keyboard.
bool exists(const std::vector<YamlNode>& path, const YamlNode& root, Diagnostics& out) {
  const std::string& section = path.front().scalar();
  if (path.size() < 2 || (section != "clocks" && section != "blocks")) return true;
  const YamlEntry* entry = root.find(section);
  if (entry == nullptr || !entry->value.is_map() || entry->value.find(path[1].scalar()) != nullptr) return true;
  std::vector<std::string> names;
  for (const YamlEntry& each : entry->value.entries()) names.push_back(each.name());
  out.error(path[1].location(), "`" + section + "` has no `" + path[1].scalar() + "`",
            help_for_unknown(path[1].scalar(), names));
  return false;
}

void apply(const Assignment& assignment, SettledFile& file, Diagnostics& out) {
  const YamlNode& head = assignment.path.front();
  const BlockName block = block_name_of(head.scalar());
  const auto blocks = block_names(file.root);
  if (has(blocks, block.group) && block.index) {
    file.of_instances[block.group].push_back({*block.index, assignment});
    return;
  }
  std::vector<YamlNode> path = assignment.path;
  if (has(blocks, head.scalar())) {
    path.insert(path.begin(), YamlNode::make_scalar(head.location(), "blocks"));
  } else if (!has(soc_file_keys(), head.scalar())) {
    auto known = blocks;
    known.insert(known.end(), soc_file_keys().begin(), soc_file_keys().end());
    out.error(head.location(), "the SoC has no block or section `" + block.group + "`",
              help_for_unknown(block.group, known));
    return;
  }
  // A coefficient of the technology that the file names.
  const YamlEntry* tech = file.root.find("tech");
  if (path.size() == 2 && head.scalar() == "tech" && tech != nullptr && tech->value.is_scalar()) {
    const YamlNode name = YamlNode::make_scalar(tech->key.location(), "name");
    file.root = file.root.with({path.front()}, YamlNode::make_map(tech->value.location(), {{name, tech->value}}));
  }
  if (!exists(path, file.root, out)) return;
  file.root = file.root.with(path, assignment.value);
}

}  // namespace

BlockName block_name_of(const std::string& text) {
  const auto open = text.find('[');
  if (open == std::string::npos || text.back() != ']') return {text, {}};
  return {text.substr(0, open), text.substr(open + 1, text.size() - open - 2)};
}

const std::vector<std::string>& soc_file_keys() {
  static const std::vector<std::string> keys{"soc", "tech", "clocks", "blocks", "placement", "memory_map", "mapping"};
  return keys;
}

SettledFile apply_settings(YamlNode root, const std::vector<std::string>& settings, Diagnostics& out) {
  SettledFile file{std::move(root), {}};
  for (const std::string& text : settings) {
    if (const auto assignment = parse_assignment("--set", text, out)) apply(*assignment, file, out);
  }
  return file;
}

SettledFile apply_settings(YamlNode root, const std::vector<Assignment>& settings, Diagnostics& out) {
  SettledFile file{std::move(root), {}};
  for (const Assignment& assignment : settings) apply(assignment, file, out);
  return file;
}

}  // namespace archsim
