#include "traces/import/import.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "arch/describe/read_bytes.h"
#include "traces/file/file_kind.h"
#include "traces/import/chakra/chakra.h"
#include "traces/import/onnx/import_onnx.h"
#include "traces/import/pytorch/execution_trace.h"

namespace archsim {
namespace {

using Importer = Checked<Trace> (*)(const std::string& path, const ImportOptions& options);

Checked<Trace> onnx_trace(const std::string& path, const ImportOptions& options) {
  return import_onnx(path,
                     {.model = options.model, .dims = options.dims, .inputs = options.inputs, .dtype = options.dtype});
}

Diagnostic at(const std::string& path, std::string message, std::string help = {}) {
  return {Severity::error, std::move(message), {make_source(path, ""), 0, 0}, std::move(help)};
}

// Keys and tags that tell the kind stand within the first MiB (assumed: a Kineto trace's list of devices is shorter).
constexpr std::size_t kTellingStart = std::size_t{1} << 20;

Checked<GraphKind> kind_of_graph(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kTellingStart, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.empty()) {  // perhaps it cannot be read at all, and then this says why
    const auto source = read_source(path);
    if (!source) return source.diagnostics();
  }
  if (const auto kind = graph_kind_of(text)) return *kind;
  const FileKind ours = kind_of(std::string_view(text).substr(0, kTellingBytes));
  if (ours != FileKind::other) {
    return at(path, "`" + path + "` is " + std::string(in_words(ours)) + ", nothing to import", use_of(ours, path));
  }
  return at(path, "`" + path + "` is nothing that can be imported",
            "an ONNX model, a Chakra execution trace or a PyTorch execution trace can; `--from` says which it is");
}

template <Checked<Trace> (*import_text)(std::string_view, const std::string&, const std::string&)>
Checked<Trace> import_whole(const std::string& path, const ImportOptions& options) {
  const auto text = read_bytes(path);
  if (!text) return text.diagnostics();
  return import_text(*text, options.model, path);
}

// Every kind that becomes a trace, one line each.
struct Entry {
  GraphKind kind;
  Importer import;
};
const std::vector<Entry>& importers() {
  static const std::vector<Entry> all = {{GraphKind::onnx, onnx_trace},
                                         {GraphKind::execution_trace, import_whole<import_execution_trace>},
                                         {GraphKind::chakra, import_whole<import_chakra>}};
  return all;
}

/// A name without blanks, as traces need it.
std::string model_name(const std::string& path) {
  std::string name = std::filesystem::path(path).stem().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c <= ' ' || c >= 0x7F; }, '_');
  return name.empty() ? "imported" : name;
}

}  // namespace

Checked<Trace> import_trace(const std::string& path, const ImportOptions& options) {
  const auto kind = options.kind ? Checked<GraphKind>(*options.kind) : kind_of_graph(path);
  if (!kind) return kind.diagnostics();
  const bool is_for_onnx = !options.dims.empty() || !options.inputs.empty() || options.dtype;
  if (is_for_onnx && *kind != GraphKind::onnx) {
    const auto* option = !options.dims.empty() ? "--dim" : !options.inputs.empty() ? "--input" : "--dtype";
    return at(path,
              "`" + std::string(option) + "` is for ONNX models; `" + path + "` is " + std::string(in_words(*kind)),
              "its shapes and types are all known");
  }
  ImportOptions settled = options;
  if (settled.model.empty()) settled.model = model_name(path);
  for (const auto& entry : importers()) {
    if (entry.kind == *kind) return entry.import(path, settled);
  }
  return at(path, "`" + path + "` is " + std::string(in_words(*kind)) + ", which cannot become a trace",
            "it has times and no data flow: `archsim calibrate` sets them beside a run's");
}

}  // namespace archsim
