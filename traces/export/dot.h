// Trace -> a graph in Graphviz's language.
#pragma once

#include <string>

#include "arch/workload/trace.h"

namespace archsim {

/// A box an operator, within the frames of its stage and repeats; a solid arrow where an operator reads what another wrote,
/// with the tensor's shape, a dashed one where it reads what an earlier iteration wrote.
std::string dot_graph(const Trace& trace);

}  // namespace archsim
