// A finished trace, such as an imported one, in the formats of a recipe.
#pragma once

#include <string>

#include "arch/describe/diagnostic.h"
#include "arch/workload/trace.h"

namespace archsim {

/// Whole numbers (ids, masks) keep their format. `recipe` as in find_recipe(); names without a path are looked for beside `file`, where the trace came from. The trace's parameter `recipe` names it.
/// Errors: find_recipe()'s, the recipe's own, and operators that do not take its formats.
Checked<Trace> in_formats_of(const std::string& recipe, const Trace& trace, const std::string& file);

}  // namespace archsim
