#include "traces/import/onnx/import_onnx.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "arch/workload/rules/validate.h"
#include "traces/import/onnx/fuse/fuse.h"
#include "traces/import/onnx/graph/read_model.h"
#include "traces/import/onnx/lower/lower.h"
#include "traces/import/onnx/shape/settle.h"

namespace archsim {
namespace {

Checked<Trace> import(std::istream& bytes, const std::string& path, const OnnxOptions& options) {
  auto read = onnx_graph::read_model(bytes, path, {options.dims, options.inputs});
  if (!read) return read.diagnostics();
  onnx_graph::Graph graph = *std::move(read);
  Diagnostics problems = read.diagnostics();
  onnx_graph::settle(graph, problems);
  if (problems.has_errors()) return problems;
  onnx_graph::fuse(graph, problems);
  Trace trace = onnx_graph::lower(graph, options.dtype, options.model, problems);
  if (problems.has_errors()) return problems;
  if (trace.operators.empty()) problems.error(graph.where(), "the model computes nothing: its outputs are constants");
  // What the rules of operators refuse and no check above foresaw; its names are those of the trace.
  for (const auto& problem : problems_of(trace)) problems.error(graph.where(), problem.message, problem.help);
  if (problems.has_errors()) return problems;
  return {std::move(trace), std::move(problems)};
}

}  // namespace

Checked<Trace> import_onnx(const std::filesystem::path& path, const OnnxOptions& options) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return Diagnostic{Severity::error, fmt::format("cannot read `{}`: {}", path.string(), std::strerror(errno))};
  }
  return import(file, path.string(), options);
}

Checked<Trace> import_onnx_bytes(const std::string& bytes, const std::string& path, const OnnxOptions& options) {
  std::istringstream stream(bytes);
  return import(stream, path, options);
}

}  // namespace archsim
