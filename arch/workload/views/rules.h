// What the operators accept that graphs of other tools bring along: elementwise functions, and rearrangements by view.
#pragma once

#include <vector>

#include "arch/workload/rules/operator_rule.h"

namespace archsim {

/// exp, log, ... where.
std::vector<OperatorRule> function_rules();
/// transpose, expand, reduce, gather, pad, resize.
std::vector<OperatorRule> view_rules();

}  // namespace archsim
