// The operators of a trace one by one, each with where it stands.
#pragma once

#include <cstdint>
#include <functional>

#include "arch/workload/trace.h"

namespace archsim {

/// In program order; the position is valid during the call. For a table of all, see positions().
void visit_positions(const Trace& trace,
                     const std::function<void(std::uint32_t index, const Position& position)>& visit);

}  // namespace archsim
