// Runs in processes of their own, because the SystemC kernel is global.
#pragma once

#include <string>
#include <vector>

#include "arch/workload/trace.h"

namespace archsim {

/// Seconds of each stage of `trace` on configs/soc/`soc`.yaml with `settings`; empty if there was no run, with the reason on stderr.
std::vector<double> run_in_child(const Trace& trace, const std::string& soc, const std::vector<std::string>& settings);

}  // namespace archsim
