// What `archsim cosim` tells.
#pragma once

#include <string>

#include "arch/workload/trace.h"
#include "models/accel/cosim/cosim.h"

namespace archsim {

/// "archsim.cosim/1".
std::string cosim_json(const CosimResult& result);

/// The whole, each engine, and the commands that differ most.
std::string cosim_text(const CosimRequest& request, const Trace& trace, const CosimResult& result);

}  // namespace archsim
