// What differs between the machines of two runs, by the paths that `--set` takes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace archsim {

struct SettingChange {
  std::string path;  // "npu.rows" if all blocks of a group changed alike, else "npu[2].rows"; "clocks.noc"
  std::string before, after;
  std::string acts_on;  // the resource, as `bound` names it; empty if it is none
};

/// Of two `config`s. What the program derives (memory map, places) comes last.
std::vector<SettingChange> setting_changes(const nlohmann::ordered_json& before, const nlohmann::ordered_json& after);

}  // namespace archsim
