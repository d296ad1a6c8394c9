// Which iteration of which loops an executed operator is.
#pragma once

#include <cstdint>
#include <string>

#include "arch/workload/trace.h"

namespace archsim {

/// "flow_step=3/layers=7"; only loops of more than one iteration. `iteration` as in OperatorRun.
std::string repeat_path(const Trace& trace, const Position& position, std::uint64_t iteration);

}  // namespace archsim
