// A comparison as tables, JSON (archsim.diff/1) and CSV.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/compare/compare.h"
#include "app/report/text_table.h"

namespace archsim {

std::vector<TextTable> compare_tables(const Comparison& comparison);
/// `limit`: the part that --fail-above allows; absent without it.
std::string compare_json(const Comparison& comparison, std::optional<double> limit);
/// One row an operator that changed.
std::string compare_csv(const Comparison& comparison);

/// Those limited quantities that grew by more than `limit`.
std::vector<QuantityChange> past_limit(const Comparison& comparison, double limit);

/// "+3.2 %"
std::string part_in_words(double part);

}  // namespace archsim
