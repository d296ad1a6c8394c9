// How much work an operator is for a processor that takes elements one after another.
#pragma once

#include <cstdint>

#include "arch/workload/trace.h"

namespace archsim {

/// Elements of the results; MACs for linear, matmul, attention and depthwise_conv; for a search or a reduction the elements
/// that it looks at, for a pool those under all places of its kernel.
std::uint64_t elements_to_handle(const Trace& trace, const Operator& op);

}  // namespace archsim
