// The report of a run: one HTML file that needs nothing else.
#pragma once

#include <string>

#include "app/pictures/run_file.h"

namespace archsim {

/// Headline, stages, roofline, timeline overview, memory, energy and area where the run has them, longest operators with
/// reasons, mapping, what-if, assumptions and sources, configuration.
Checked<std::string> report_page(const RunFile& run);

}  // namespace archsim
