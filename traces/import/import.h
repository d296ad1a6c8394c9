// Graphs and traces of other programs -> trace.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arch/describe/diagnostic.h"
#include "arch/workload/trace.h"
#include "traces/import/graph_kind.h"

namespace archsim {

/// What a user may say about an import; an option that the file's kind has no use for is an error.
struct ImportOptions {
  std::optional<GraphKind> kind;    // told from the content if absent
  std::string model;                // the trace's name; the file's own name without folder and extension if empty
  std::vector<std::string> dims;    // NAME=VALUE, extents that the graph leaves open; ONNX only
  std::vector<std::string> inputs;  // NAME=2x3x224x224, whole shapes of inputs; ONNX only
  std::optional<Dtype> dtype;       // of everything in floating point; ONNX only; the model's own if absent
};

/// A valid trace of the file at `path`. Everything in it that archsim cannot express is told at once, by name and node.
Checked<Trace> import_trace(const std::string& path, const ImportOptions& options = {});

}  // namespace archsim
