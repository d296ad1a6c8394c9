// Which formats a recipe gives to each operator of a trace.
#pragma once

#include <vector>

#include "arch/workload/trace.h"
#include "traces/recipes/recipe.h"

namespace archsim {

bool is_product(OperatorType type);  // multiplies in arrays, so that its operands must be of given types

/// One for each operator. Errors: a pattern that matches no name.
std::vector<OperatorFormats> formats_of_operators(const Recipe& recipe, const Trace& trace, Diagnostics& out);

/// The first of `formats` whose blocks and groups divide `extent`; an error, for operator `name`, if none does.
std::optional<Format> fitting(const Formats& formats, std::uint64_t extent, const std::string& name, Diagnostics& out);

}  // namespace archsim
