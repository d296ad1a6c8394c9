// Cores that only the tests contain: other rows, columns, banks, ports, queues and DMAs than configs/soc/rtl_small.yaml has.
#pragma once

#include <vector>

#include "accel-rtl/dv/core.h"
#include "models/accel/tables.h"

namespace archsim {

namespace rtl {
const std::vector<BuiltCore>& other_cores();
}

/// The model's params for a core, as far as the RTL has them.
SystolicParams params_of(const rtl::BuiltCore& core);

}  // namespace archsim
