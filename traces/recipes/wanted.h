// The element types that operators want of what they read, and what each tensor is stored as in the end.
#pragma once

#include <optional>
#include <vector>

#include "traces/recipes/apply.h"

namespace archsim {

/// What the recipe comes to for one operator: an element type each for inputs, where it wants one.
struct Wanted {
  std::vector<std::optional<Dtype>> inputs;
  std::optional<Dtype> result;  // what the recipe calls its activation; the readers decide first
};

/// One for each operator. Errors: formats that the operator cannot take or accumulate.
std::vector<Wanted> wanted_types(const Trace& trace, const std::vector<OperatorFormats>& formats, Diagnostics& out);

/// Tensors that operators only move have one element type and scale together: each tensor's representative.
std::vector<std::uint32_t> moved_together(const Trace& trace);

/// Gives every tensor but weights and fixed ones its element type: the widest that its readers want and that has elements with
/// addresses, else what its writers make.
void store_activations(Trace& trace, const std::vector<Wanted>& wanted, const std::vector<bool>& is_fixed);

}  // namespace archsim
