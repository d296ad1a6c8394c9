// Whether a trace makes sense, all mistakes at once.
#pragma once

#include "arch/describe/diagnostic.h"
#include "arch/workload/rules/problem.h"
#include "arch/workload/trace.h"

namespace archsim {

/// Limits that keep every product of a trace within 64 bits.
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 44;   // of a tensor, all copies together
constexpr std::uint64_t kMostInstances = std::uint64_t{1} << 40;  // of an operator

/// Structure, names, operands, attributes, element types, shapes, roles, order. Empty for a valid trace.
/// Shapes are looked at only where the structure is sound, order only where all else is.
Problems problems_of(const Trace& trace);

/// The same as diagnostics without a place in a text; `where` is used for all of them.
Diagnostics validate(const Trace& trace, const Location& where = {});

}  // namespace archsim
