// The sections of a report as data for app/web/report.js.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/pictures/run_file.h"

namespace archsim {

/// Longest operators, with what they moved and computed and a reason in words.
nlohmann::ordered_json longest_operators_section(const RunFile& run);

/// How much of each of a few hundred equal parts of the run each kind of engine had operators under way, and what bounded most of
/// them. Neighbours that are alike are one.
nlohmann::ordered_json overview_section(const RunFile& run);

/// What each doubling saves: re-runs where the run has them, else its own what-if timing.
nlohmann::ordered_json what_if_section(const RunFile& run);

/// What the numbers rest on: models with what they leave out of account, standards, technology, program.
nlohmann::ordered_json sources_section(const RunFile& run);

/// Every param with its value and meaning, blocks of a group that are alike as one.
nlohmann::ordered_json configuration_section(const RunFile& run);

}  // namespace archsim
