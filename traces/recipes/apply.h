// Recipe and trace -> the same trace in other formats, with the casts that this takes.
#pragma once

#include <cstdint>
#include <vector>

#include "arch/workload/trace.h"
#include "traces/recipes/recipe.h"

namespace archsim {

/// What a workload file knows of its tensors beyond the trace; one entry each.
struct TensorHints {
  std::vector<bool> is_fixed;  // its element type is no matter of recipes
  std::vector<double> scales;  // what a quantized element stands for; 0: not said
};

struct Converted {
  Trace trace;
  // From which operator and tensor of the given trace each is, for messages.
  std::vector<std::uint32_t> operators, tensors;
};

/// docs/recipes.md has the rules. Errors stand in the recipe.
Checked<Converted> apply_recipe(const Recipe& recipe, const Trace& trace, const TensorHints& hints);

/// A scale for random numbers, where none is said. See docs/workload_files.md.
double placeholder_scale(const Tensor& tensor);

}  // namespace archsim
