// Nodes of PyTorch's operators -> trace.
#pragma once

#include <string>
#include <vector>

#include "arch/describe/diagnostic.h"
#include "arch/workload/trace.h"
#include "traces/import/aten/node.h"

namespace archsim {

/// A valid trace of the outermost operators that archsim knows, in the order of their ids; what they call in turn is
/// theirs. Of others what they call counts, if it makes all their results. What is left is told at once, by name and node.
/// `path` is for messages.
Checked<Trace> lower_nodes(std::vector<AtenNode> nodes, const std::string& model, const std::string& path);

}  // namespace archsim
