// How much work an operator is for a processor that takes elements one after another.
#pragma once

#include <cstdint>

#include "arch/workload/trace.h"

namespace archsim {

/// Elements of the results; for a search those that it looks at, for a pool those under all places of its kernel.
inline std::uint64_t elements_to_handle(const Trace& trace, const Operator& op) {
  if (op.type == OperatorType::argmax) return trace.tensors[op.inputs[0].tensor].elements();
  std::uint64_t results = 0;
  for (const auto& use : op.outputs) results += trace.tensors[use.tensor].elements();
  return op.type == OperatorType::maxpool ? results * window_of(op).area() : results;
}

}  // namespace archsim
