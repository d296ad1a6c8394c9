// Energy, power and area as JSON: run.json's `ppa`, and what `archsim ppa --json` prints.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "arch/machine/price/robot.h"

namespace archsim {

nlohmann::ordered_json ppa_json(const Ppa& ppa, const std::optional<RobotMetrics>& robot = {});

}  // namespace archsim
