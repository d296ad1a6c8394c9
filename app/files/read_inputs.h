// The files that a command reads.
#pragma once

#include <string>
#include <vector>

#include "arch/machine/soc_spec.h"

namespace archsim {

/// The SoC file at `path` with `settings`; a file of another kind is called by its name.
Checked<SocSpec> read_soc_file(const std::string& path, const std::vector<std::string>& settings);

}  // namespace archsim
