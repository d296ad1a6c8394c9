// A trace as text for people: `archsim trace export --format text`, and one operator a line for `archsim trace cat`.
#pragma once

#include <string>
#include <vector>

#include "arch/workload/trace.h"

namespace archsim {

struct Listing {
  std::string text;
  std::vector<unsigned> tensor_lines;    // the line, from 1, of each tensor
  std::vector<unsigned> operator_lines;  // and of each operator
  std::vector<unsigned> loop_lines;      // of each loop: its stage's or repeat's
};

/// Tensors, then operators indented by stage and repeat. Takes invalid traces too, as long as operands name tensors and
/// loops that exist.
Listing list_trace(const Trace& trace);

/// "int4 group 128 bf16 two_of_four": an element type, and what its elements share.
std::string format_text(Dtype dtype, const Grouping& grouping);

/// "linear layer.q(normed:bf16[816,2048], q_weight[layer]:bf16[2048,2048]) -> q_flat:bf16[816,2048]"
/// `loop_names` gives each loop's name in a copy index.
std::string operator_text(const Operator& op, const std::vector<Tensor>& tensors, const std::vector<Loop>& loops);

/// "epsilon=1e-06, groups=32"; empty if it has none.
std::string attribute_text(const Operator& op);

}  // namespace archsim
