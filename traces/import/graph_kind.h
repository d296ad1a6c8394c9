// What kind of foreign graph or trace a file holds, told from its content: names of files say nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace archsim {

enum class GraphKind {
  onnx,             // ONNX ModelProto
  chakra,           // MLCommons Chakra execution trace: GlobalMetadata and Nodes, each behind its length
  execution_trace,  // PyTorch's ExecutionTraceObserver, JSON
  kineto,           // PyTorch's profiler, Chrome trace JSON: measured times, no data flow
};

/// The names on the command line: "onnx", "chakra", "pytorch", "kineto".
std::string_view name_of(GraphKind kind);
std::optional<GraphKind> graph_kind_from(std::string_view name);
std::vector<std::string> graph_kind_names();
/// "an ONNX model"
std::string_view in_words(GraphKind kind);

/// Empty if `bytes`, the whole file or its start, is none of them. A file that is cut off is still known by its start.
std::optional<GraphKind> graph_kind_of(std::string_view bytes);

}  // namespace archsim
