// What an accelerator can do.
#pragma once

#include <optional>
#include <string>

#include "arch/machine/capabilities.h"
#include "arch/workload/trace.h"

namespace archsim {

bool has_function(const AcceleratorCapabilities& accelerator, VectorFunction function);

/// The vector unit's function for an elementwise operator, norm, rope, softmax or sincos; nullopt for other operators.
std::optional<VectorFunction> function_of(const Operator& op);

/// Whether the store engine turns accumulator elements of a product of `operands` into `result` on the way.
/// Then `convert_of` says how.
bool stores_directly(const AcceleratorCapabilities& accelerator, Dtype operands, Dtype result);
Convert convert_of(Dtype operands, Dtype result);

/// Element type of the accumulator for products of `operands`.
constexpr Dtype accumulator_dtype(Dtype operands) {
  return operands == Dtype::int8 || operands == Dtype::int4 ? Dtype::int32 : Dtype::fp32;
}
/// Element type of attention's probabilities for queries of `query`.
constexpr Dtype probability_dtype(Dtype query) { return query == Dtype::int8 ? Dtype::bf16 : query; }

/// Whether an accelerator can run an operator by itself.
struct Verdict {
  std::string why;         // why not; empty: it can
  std::string capability;  // what decides it, as the param of the accelerator or the host is called: "dtypes.int8"
  bool can() const { return why.empty(); }
};
Verdict verdict(const Trace& trace, std::uint32_t index, const AcceleratorCapabilities& accelerator);

}  // namespace archsim
