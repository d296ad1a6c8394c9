// The report's sections on what the numbers rest on.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/pictures/report/sections.h"
#include "models/catalog.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

std::string shown(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

void add_params(const ParamTable* table, const Json& values, const std::string& path, Json& to) {
  for (const auto& item : values.items()) {
    const ParamEntry* entry = nullptr;
    if (table != nullptr) {
      for (const ParamEntry& each : table->entries()) {
        if (each.name == item.key()) entry = &each;
      }
    }
    const std::string name = path.empty() ? item.key() : path + "." + item.key();
    if (entry != nullptr && entry->group && item.value().is_object()) {
      add_params(entry->group.get(), item.value(), name, to);
      continue;
    }
    to.push_back({{"name", name}, {"value", shown(item.value())}, {"meaning", entry == nullptr ? "" : entry->doc}});
    if (entry != nullptr && !entry->default_text.empty()) to.back()["default"] = entry->default_text;
  }
}

const CatalogEntry* entry_of(const Json& block) {
  return catalog().find(block.value("kind", std::string()), block.value("model", std::string()));
}

/// Blocks that say the same are told once: "npu0 .. npu3".
std::vector<std::pair<std::string, Json>> alike(const Json& blocks) {
  std::vector<std::pair<std::string, Json>> groups;
  std::vector<std::string> first;
  for (const auto& item : blocks.items()) {
    if (!groups.empty() && groups.back().second == item.value()) {
      groups.back().first = first.back() + " .. " + item.key();
      continue;
    }
    groups.emplace_back(item.key(), item.value());
    first.push_back(item.key());
  }
  return groups;
}

}  // namespace

Json sources_section(const RunFile& run) {
  Json rows = Json::array();
  const auto add = [&](const std::string& what, const std::string& text) {
    if (!text.empty()) rows.push_back({{"what", what}, {"text", text}});
  };
  add("program", "archsim " + run.json.value("version", std::string()));
  add("fidelity", run.fidelity);
  if (run.json.contains("seed")) add("seed", run.json["seed"].dump());
  add("trace", run.model + ", digest " + run.digest);
  add("lower bound",
      "each resource at its peak, compulsory DRAM bytes, prefetch limited by on-chip capacity; no mapping beats it");
  add("bound labels", "the resource whose doubling would shorten the work most, timed beside the run");
  const Json config = run.json.value("config", Json::object());
  const Json blocks = config.value("blocks", Json::object());
  for (const auto& [name, block] : alike(blocks)) {
    const CatalogEntry* entry = entry_of(block);
    add(name, fmt::format("{}/{}{}", block.value("kind", ""), block.value("model", ""),
                          entry == nullptr ? "" : ": " + entry->summary));
    if (block.contains("standard"))
      add(name + ", timings", "configs/dram, standard " + shown(block["standard"]) + ", each value with its source");
  }
  if (!run.json.contains("ppa") || !run.json["ppa"].is_object()) {
    add("energy and area", "not priced: the SoC file names no technology that has costs");
    return rows;
  }
  const Json sources = run.json["ppa"].value("sources", Json::array());
  for (const Json& source : sources) add("cost", shown(source));
  return rows;
}

Json configuration_section(const RunFile& run) {
  Json rows = Json::array();
  const Json config = run.json.value("config", Json::object());
  for (const auto& item : config.items()) {
    if (item.key() == "blocks" || !item.value().is_primitive()) continue;
    rows.push_back(
        {{"block", "SoC"},
         {"params", Json::array({{{"name", item.key()}, {"value", shown(item.value())}, {"meaning", ""}}})}});
  }
  const Json clocks = config.value("clocks", Json::object());
  for (const auto& clock : clocks.items()) {
    rows.push_back(
        {{"block", "clocks"},
         {"params", Json::array({{{"name", clock.key()}, {"value", shown(clock.value())}, {"meaning", ""}}})}});
  }
  for (const auto& [name, block] : alike(config.value("blocks", Json::object()))) {
    Json params = Json::array();
    const CatalogEntry* entry = entry_of(block);
    add_params(entry == nullptr ? nullptr : &entry->params, block, "", params);
    rows.push_back({{"block", name}, {"params", params}});
  }
  return rows;
}

}  // namespace archsim
