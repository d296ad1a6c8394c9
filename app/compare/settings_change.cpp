#include "app/compare/settings_change.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;
using Flat = std::vector<std::pair<std::string, std::string>>;

std::string shown(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

void flatten(const std::string& path, const Json& value, Flat& to) {
  if (!value.is_object() || value.empty()) {
    to.emplace_back(path, shown(value));
    return;
  }
  for (const auto& item : value.items()) flatten(path.empty() ? item.key() : path + "." + item.key(), item.value(), to);
}

/// "npu2" is block 2 of group "npu".
std::pair<std::string, std::string> group_of(const std::string& block) {
  const auto last = block.find_last_not_of("0123456789");
  if (last == std::string::npos || last + 1 == block.size()) return {block, ""};
  return {block.substr(0, last + 1), block.substr(last + 1)};
}

std::string resource_of(const std::string& kind, const std::string& param) {
  if (kind == "dram" || kind == "noc") return kind;
  if (kind == "sram") return "sram";
  if (kind == "cpu") return param == "launch" || param == "interrupt" || param == "fork_join" ? "launch" : "cpu";
  if (kind != "accel") return "";
  if (param.starts_with("vector")) return "vector";
  if (param.starts_with("scratchpad") || param == "accumulator") return "sram";
  if (param.starts_with("dma") || param.starts_with("smmu")) return "dma";
  return "compute";
}

/// Every block's own settings, and the rest.
struct Settings {
  std::map<std::string, std::string> all;  // by path; blocks without "blocks."
  std::map<std::string, std::set<std::string>> groups;
  std::map<std::string, std::string> kinds;  // by block
};

Settings settings_of(const Json& config) {
  Settings settings;
  for (const auto& item : config.items()) {
    if (item.key() != "blocks" || !item.value().is_object()) {
      Flat flat;
      // Places and addresses are long, and follow from the rest.
      if (item.key() == "placement" || item.key() == "memory_map") {
        flat.emplace_back(item.key(), shown(item.value()));
      } else {
        flatten(item.key(), item.value(), flat);
      }
      settings.all.insert(flat.begin(), flat.end());
      continue;
    }
    for (const auto& block : item.value().items()) {
      Flat flat;
      flatten(block.key(), block.value(), flat);
      settings.all.insert(flat.begin(), flat.end());
      settings.groups[group_of(block.key()).first].insert(block.key());
      if (block.value().contains("kind")) settings.kinds[block.key()] = shown(block.value()["kind"]);
    }
  }
  return settings;
}

std::string cut(const std::string& text) { return text.size() <= 40 ? text : text.substr(0, 37) + "..."; }

class Collector {
 public:
  Collector(Settings before, Settings after) : before_(std::move(before)), after_(std::move(after)) {}

  std::vector<SettingChange> collect() {
    std::set<std::string> paths;
    for (const auto& [path, value] : before_.all) paths.insert(path);
    for (const auto& [path, value] : after_.all) paths.insert(path);
    for (const std::string& path : paths) compare(path);
    for (auto& [key, blocks] : alike_) write(key, blocks);
    std::stable_sort(changes_.begin(), changes_.end(), [](const SettingChange& a, const SettingChange& b) {
      return is_derived(a.path) < is_derived(b.path);
    });
    return std::move(changes_);
  }

 private:
  struct Key {
    std::string group, param, before, after;
    auto operator<=>(const Key&) const = default;
  };

  static bool is_derived(const std::string& path) { return path == "placement" || path == "memory_map"; }
  static std::string at(const Settings& settings, const std::string& path) {
    const auto found = settings.all.find(path);
    return found == settings.all.end() ? "" : found->second;
  }

  void compare(const std::string& path) {
    const std::string before = at(before_, path), after = at(after_, path);
    if (before == after) return;
    const std::string block = path.substr(0, path.find('.'));
    if (!before_.kinds.contains(block) && !after_.kinds.contains(block)) {
      changes_.push_back({path, is_derived(path) ? "" : cut(before), is_derived(path) ? "derived" : cut(after), ""});
      return;
    }
    alike_[{group_of(block).first, path.substr(std::min(path.size(), block.size() + 1)), before, after}].insert(block);
  }

  void write(const Key& key, const std::set<std::string>& blocks) {
    auto everyone = before_.groups[key.group];
    everyone.insert(after_.groups[key.group].begin(), after_.groups[key.group].end());
    const std::string& first = *blocks.begin();
    const std::string kind = after_.kinds.contains(first) ? after_.kinds[first] : before_.kinds[first];
    const auto add = [&](const std::string& name) {
      changes_.push_back({key.param.empty() ? name : name + "." + key.param, cut(key.before), cut(key.after),
                          resource_of(kind, key.param)});
    };
    if (blocks == everyone) return add(key.group);
    for (const std::string& block : blocks) {
      const auto [group, number] = group_of(block);
      add(number.empty() ? group : group + "[" + number + "]");
    }
  }

  Settings before_, after_;
  std::map<Key, std::set<std::string>> alike_;
  std::vector<SettingChange> changes_;
};

}  // namespace

std::vector<SettingChange> setting_changes(const Json& before, const Json& after) {
  return Collector(settings_of(before), settings_of(after)).collect();
}

}  // namespace archsim
