// PyTorch's execution traces (ExecutionTraceObserver, JSON) -> trace.
#pragma once

#include <string>
#include <string_view>

#include "arch/describe/diagnostic.h"
#include "arch/workload/trace.h"

namespace archsim {

/// Of schema 1.0.1 (`parent`, `inputs`, `input_shapes`, `input_types`, and so for outputs) and of 1.0.2 to 1.1.x
/// (`ctrl_deps`, `inputs` and `outputs` of `values`, `shapes` and `types`). Errors: another schema, nodes that are
/// malformed, and what lower_nodes() says. `path` is for messages.
/// Schema: torch/csrc/profiler/standalone/execution_trace_observer.cpp.
Checked<Trace> import_execution_trace(std::string_view text, const std::string& model, const std::string& path);

}  // namespace archsim
