#include "app/what_if/doublings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;
using Settings = std::vector<std::string>;

/// A number with or without a unit, times `factor`.
std::string times(const Json& value, double factor) {
  if (value.is_number()) return fmt::format("{:.10g}", value.get<double>() * factor);
  const auto text = value.get<std::string>();
  const auto space = std::min(text.find(' '), text.size());
  return fmt::format("{:.10g}{}", std::strtod(text.c_str(), nullptr) * factor, text.substr(space));
}

/// Blocks of one kind, one of each group: `npu` for npu0 .. npu3.
std::vector<std::pair<std::string, const Json*>> groups_of(const Json& config, const std::string& kind) {
  std::vector<std::pair<std::string, const Json*>> groups;
  std::set<std::string> seen;
  for (const auto& block : config["blocks"].items()) {
    if (block.value().value("kind", "") != kind) continue;
    // A block without a count keeps its digits: `l2` is no instance of a group `l`.
    const std::string& name = block.key();
    const std::string stem = name.substr(0, name.find_last_not_of("0123456789") + 1);
    const std::string group = config["blocks"].contains(stem + "0") ? stem : name;
    if (seen.insert(group).second) groups.emplace_back(group, &block.value());
  }
  return groups;
}

class Collector {
 public:
  explicit Collector(const Json& config) : config_(config) {}

  std::vector<std::pair<std::string, Settings>> collect() {
    for (const auto& [name, block] : groups_of(config_, "accel")) add_accelerator(name, *block);
    for (const auto& [name, block] : groups_of(config_, "sram")) {
      add("sram", name, *block, "port_width", 2);
      add("capacity", name, *block, "capacity", 2);
    }
    for (const auto& [name, block] : groups_of(config_, "noc")) add("noc", name, *block, "link_width", 2);
    for (const auto& [name, block] : groups_of(config_, "dram")) add("dram", name, *block, "channels", 2);
    for (const auto& [name, block] : groups_of(config_, "cpu")) {
      add_clock("cpu", *block);
      for (const char* cost : {"launch", "interrupt", "fork_join"}) add("launch", name, *block, cost, 0.5);
    }
    std::erase_if(all_, [](const auto& each) { return each.second.empty(); });
    return std::move(all_);
  }

 private:
  Settings& of(const std::string& resource) {
    for (auto& [name, settings] : all_) {
      if (name == resource) return settings;
    }
    return all_.emplace_back(resource, Settings{}).second;
  }

  void add(const std::string& resource, const std::string& block, const Json& params, const std::string& path,
           double factor) {
    const Json* value = &params;
    for (std::size_t from = 0; from <= path.size();) {
      const std::size_t dot = std::min(path.find('.', from), path.size());
      const std::string key = path.substr(from, dot - from);
      if (!value->is_object() || !value->contains(key)) return;
      value = &(*value)[key];
      from = dot + 1;
    }
    if (!value->is_number() && !value->is_string()) return;
    of(resource).push_back(fmt::format("{}.{}={}", block, path, times(*value, factor)));
  }

  void add_clock(const std::string& resource, const Json& block) {
    const std::string clock = block.value("clock", "");
    if (clock.empty() || !config_["clocks"].contains(clock)) return;
    const std::string setting = "clocks." + clock + "=" + times(config_["clocks"][clock], 2);
    Settings& settings = of(resource);
    if (std::find(settings.begin(), settings.end(), setting) == settings.end()) settings.push_back(setting);
  }

  void add_accelerator(const std::string& name, const Json& block) {
    if (block.contains("dtypes")) {
      for (const auto& dtype : block["dtypes"].items()) add("compute", name, block, "dtypes." + dtype.key(), 2);
    }
    add("vector", name, block, "vector_lanes", 2);
    add("sram", name, block, "scratchpad.banks", 2);
    add("dma", name, block, "dma.outstanding", 2);
    add("dma", name, block, "dma.setup", 0.5);
    // The port, and the scratchpad behind it as it was.
    add("dma", name, block, "scratchpad.port_width", 2);
    add("dma", name, block, "scratchpad.banks", 0.5);
    add_clock("clock", block);
    add("capacity", name, block, "scratchpad.capacity", 2);
  }

  const Json& config_;
  std::vector<std::pair<std::string, Settings>> all_{{"compute", {}}, {"vector", {}},  {"sram", {}}, {"dma", {}},
                                                     {"noc", {}},     {"dram", {}},    {"cpu", {}},  {"launch", {}},
                                                     {"clock", {}},   {"capacity", {}}};
};

}  // namespace

std::vector<std::pair<std::string, Settings>> doublings(const Json& config) { return Collector(config).collect(); }

}  // namespace archsim
