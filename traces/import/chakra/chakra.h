// MLCommons Chakra execution traces (one rank's .et file) -> trace.
#pragma once

#include <string>
#include <string_view>

#include "arch/describe/diagnostic.h"
#include "arch/workload/trace.h"

namespace archsim {

/// Of schema 0.0.4. Nodes that PyTorch's operators made carry their arguments and become what an execution trace makes of
/// them. A compute node that has only `num_ops` and `tensor_size` becomes a linear layer whose weight is the tensor, in
/// fp16, and whose rows give half as many MACs as there are operations; it waits for the nodes it depends on. Errors:
/// nodes of communication, memory and storage, by name, and compute nodes that say neither. `path` is for messages.
Checked<Trace> import_chakra(std::string_view bytes, const std::string& model, const std::string& path);

}  // namespace archsim
