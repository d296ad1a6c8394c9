// Energy, power and area as printed tables.
#pragma once

#include <vector>

#include "app/report/text_table.h"
#include "arch/machine/price/robot.h"

namespace archsim {

/// Totals with their intervals, and blocks.
std::vector<TextTable> ppa_tables(const std::string& title, const Ppa& ppa,
                                  const std::optional<RobotMetrics>& robot = {});
/// Every coefficient that was used.
TextTable sources_table(const Ppa& ppa);

}  // namespace archsim
