// The calibration for people and for programs.
#pragma once

#include <string>
#include <vector>

#include "app/calibrate/calibration.h"
#include "app/report/text_table.h"

namespace archsim {

std::vector<TextTable> calibration_tables(const Calibration& calibration);

/// Schema archsim.calibration/1: seconds; rows in the order of the table.
std::string calibration_json(const Calibration& calibration);

}  // namespace archsim
