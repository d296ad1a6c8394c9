// How each resource of a machine is doubled for good, as settings of its SoC file.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace archsim {

/// Resource and `--set` texts, of a resolved config (run.json's). The names of `bound` first, as arch/machine/lanes.h means them; then
/// `clock`, of all accelerators, and `capacity`, of l2 and scratchpads. Resources that the machine does not have are left out.
std::vector<std::pair<std::string, std::vector<std::string>>> doublings(const nlohmann::ordered_json& config);

}  // namespace archsim
