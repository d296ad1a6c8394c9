// How long the host computes an operation: pure.
#pragma once

#include <cstdint>
#include <optional>

#include "arch/workload/operator.h"
#include "models/cpu/tables.h"

namespace archsim {

/// To clean or invalidate so many bytes in the caches, line by line.
Time maintenance_time(const ClusterParams& params, Frequency clock, std::uint64_t bytes);

/// Without its memory transfers. `elements` as in HostWork. Nothing: the price list has no such operator (0 cycles an element).
std::optional<Time> host_time(const ClusterParams& params, Frequency clock, OperatorType type, std::uint64_t elements);

}  // namespace archsim
