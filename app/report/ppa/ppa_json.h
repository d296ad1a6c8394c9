// Energy, power and area as JSON: run.json's `ppa`, and what `archsim ppa --json` prints.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "arch/machine/price/ppa.h"

namespace archsim {

nlohmann::ordered_json ppa_json(const Ppa& ppa);

}  // namespace archsim
