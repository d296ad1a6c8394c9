// A trace of one int8 product.
#pragma once

#include <cstdint>

#include "arch/workload/trace.h"

namespace archsim {

/// y[m,n] = x[m,k] weight[k,n], requantized to int8.
Trace matmul_trace(std::uint32_t m, std::uint32_t n, std::uint32_t k);

}  // namespace archsim
