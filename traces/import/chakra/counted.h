// Nodes of which only the work is known: operations and bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arch/describe/diagnostic.h"
#include "arch/workload/trace.h"

namespace archsim {

struct CountedNode {
  std::uint64_t id = 0;
  std::string name;
  std::optional<std::uint64_t> operations, bytes;
  std::vector<std::uint64_t> waits_for;  // ids; those that are no compute nodes are left out
};

/// A linear layer a node, its weight a matrix as square as its fp16 elements allow, with as many rows as give half the
/// operations, rounded up and told in a warning where that is not exact. In the order of the dependencies, ids first.
/// Errors: nodes that wait for each other, or that compute nothing.
Checked<Trace> counted_trace(const std::vector<CountedNode>& nodes, const std::string& model, const std::string& path);

}  // namespace archsim
