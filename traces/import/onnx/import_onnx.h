// ONNX model -> trace. docs/importing.md says what each node becomes, docs/decisions/0026 why.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "arch/describe/diagnostic.h"
#include "arch/workload/trace.h"

namespace archsim {

struct OnnxOptions {
  std::string model;                // the trace's name
  std::vector<std::string> dims;    // NAME=VALUE: extents that the graph names but leaves open
  std::vector<std::string> inputs;  // NAME=2x3x224x224: the whole shape of an input
  std::optional<Dtype> dtype;       // of everything that the model has in floating point; the model's own if absent
};

/// A valid trace of the model at `path`, or everything in it that archsim cannot express, each with its node and
/// operator. Weights are not read: of external data only the shapes count.
Checked<Trace> import_onnx(const std::filesystem::path& path, const OnnxOptions& options);

/// The same of a model's bytes; `path` is for messages.
Checked<Trace> import_onnx_bytes(const std::string& bytes, const std::string& path, const OnnxOptions& options);

}  // namespace archsim
