// A file that another program wrote, whole.
#pragma once

#include <string>

#include "arch/describe/diagnostic.h"

namespace archsim {

/// Unlike read_source() without a limit made for texts written by hand, and without its lines. An error if `path` cannot be
/// read.
Checked<std::string> read_bytes(const std::string& path);

}  // namespace archsim
