#include "traces/import/import.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "app/commands/trace/commands.h"
#include "app/files/write_file.h"
#include "traces/file/write_trace.h"
#include "traces/recipes/convert.h"

namespace archsim {
namespace {

struct ImportRequest {
  std::string file, out, kind, dtype, recipe;
  ImportOptions options;
};

int import_file(const ImportRequest& request) {
  const Diagnostics inputs = keeps_inputs(request.out, {request.file});
  if (inputs.has_errors()) return tell(inputs);
  ImportOptions options = request.options;
  options.kind = graph_kind_from(request.kind);
  options.dtype = dtype_from(request.dtype);
  auto trace = import_trace(request.file, options);
  if (!trace) return tell(trace.diagnostics());
  tell(trace.diagnostics());
  if (!request.recipe.empty()) {
    trace = in_formats_of(request.recipe, *trace, request.file);
    if (!trace) return tell(trace.diagnostics());
  }
  const auto written = write_trace(*trace, request.out);
  if (!written) return tell(written.diagnostics());
  return tell(write_stdout(fmt::format("{}: {} operators, {} bytes, digest {}\n", request.out, trace->operators.size(),
                                       written->bytes, written->digest)));
}

}  // namespace

void add_trace_import(CLI::App& trace, Action& action) {
  const auto request = std::make_shared<ImportRequest>();
  CLI::App* command = trace.add_subcommand("import", "make a trace of an ONNX model or of another program's trace");
  command->add_option("file", request->file, "ONNX model, Chakra or PyTorch execution trace")
      ->required()
      ->type_name("FILE");
  command->add_option("-o,--output", request->out, "where the trace goes")->required()->type_name("FILE.trace");
  command->add_option("--from", request->kind, "what FILE is; told from its content without this")
      ->check(CLI::IsMember(graph_kind_names()))
      ->type_name("KIND");
  command->add_option("--model", request->options.model, "the trace's name; FILE's without this")->type_name("NAME");
  command->add_option("--dim", request->options.dims, "an extent that an ONNX model leaves open; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command->add_option("--input", request->options.inputs, "the shape of an ONNX model's input; may be repeated")
      ->type_name("NAME=1x3x224x224")
      ->allow_extra_args(false);
  command
      ->add_option("--dtype", request->dtype, "of all that an ONNX model has in floating point; its own without this")
      ->check(CLI::IsMember({"fp32", "bf16", "fp16"}))
      ->type_name("TYPE");
  command
      ->add_option("--recipe", request->recipe,
                   "formats by operator: bf16, int8, fp8, nvfp4, w4a16 or a file (docs/recipes.md)")
      ->check([](const std::string& name) { return name.empty() ? "the recipe's name is missing" : ""; })
      ->type_name("NAME|FILE.yaml");
  command->footer(
      "Examples:\n"
      "  archsim trace import vit.onnx -o vit.trace --recipe int8\n"
      "  archsim trace import llm.onnx -o llm.trace --dim batch=1 --dim seq=128\n"
      "  archsim trace import llama.pt_trace.json -o llama.trace --model llama");
  command->callback([request, &action] { action = [request] { return import_file(*request); }; });
}

}  // namespace archsim
