#include "arch/workload/effort.h"

namespace archsim {
namespace {

// Of one sequence, in all segments.
std::uint64_t keys(const Trace& trace, const Operator& op) {
  std::uint64_t keys = 0;
  for (std::size_t i = 1; i < op.inputs.size(); i += 2) {
    const Tensor& k = trace.tensors[op.inputs[i].tensor];
    keys += k.elements() / k.shape.back();
  }
  return keys / static_cast<std::uint64_t>(op.integer("batch", 1));
}

}  // namespace

std::uint64_t elements_to_handle(const Trace& trace, const Operator& op) {
  std::uint64_t results = 0;
  for (const auto& use : op.outputs) results += trace.tensors[use.tensor].elements();
  switch (op.type) {
    case OperatorType::linear:
    case OperatorType::matmul:
      return results * trace.tensors[op.inputs[0].tensor].shape.back();
    case OperatorType::attention:
      return 2 * trace.tensors[op.inputs[0].tensor].elements() * keys(trace, op);
    case OperatorType::argmax:
    case OperatorType::reduce:
      return trace.tensors[op.inputs[0].tensor].elements();
    case OperatorType::maxpool:
    case OperatorType::avgpool:
    case OperatorType::depthwise_conv:
      return results * window_of(op).area();
    default:
      return results;
  }
}

}  // namespace archsim
