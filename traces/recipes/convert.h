// A finished trace, such as an imported one, in the formats of a recipe.
#pragma once

#include <string>

#include "arch/describe/diagnostic.h"
#include "arch/workload/trace.h"

namespace archsim {

/// What comes in and goes out keeps its format, as do whole numbers: its makers and users do not know of the recipe. `recipe` as in
/// find_recipe(); names without a path are looked for beside `file`, where the trace came from. The trace's parameter `recipe` names it.
/// Errors: find_recipe()'s, the recipe's own, and operators that do not take its formats.
Checked<Trace> in_formats_of(const std::string& recipe, const Trace& trace, const std::string& file);

}  // namespace archsim
