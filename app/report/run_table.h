// The run's answer for people: at most 100 columns.
#pragma once

#include <vector>

#include "app/answer/answer.h"
#include "app/report/text_table.h"

namespace archsim {

/// `--coverage`: what runs where, and why.
std::vector<TextTable> coverage_tables(const RunInputs& inputs, const Answer& answer);

std::vector<TextTable> run_tables(const RunInputs& inputs, const RunResult& result, const Answer& answer);

/// Of `--fidelity roofline`.
std::vector<TextTable> roofline_run_tables(const RunInputs& inputs, const Answer& answer);

}  // namespace archsim
