#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/commands/trace/commands.h"
#include "app/files/write_file.h"
#include "traces/export/dot.h"
#include "traces/export/scalesim.h"
#include "traces/file/trace_reader.h"
#include "traces/show/info.h"
#include "traces/show/listing.h"

namespace archsim {
namespace {

/// Prints what `shown` makes of the trace in `file`.
template <class Show>
int show_trace(const std::string& file, Show shown) {
  const auto trace = read_trace(file);
  if (!trace) return tell(trace.diagnostics());
  return tell(write_stdout(shown(*trace)));
}

int cat(const std::string& file) {
  const auto operators = cat_trace(file, std::cout);
  std::cout.flush();
  Diagnostics out = operators.diagnostics();
  if (!std::cout) out.error({}, "cannot write to `standard output`: " + std::string(std::strerror(errno)));
  return tell(out);
}

struct ShowRequest {
  std::string file, format;
};

CLI::App* add_shown(CLI::App& parent, const char* name, const char* what, const std::shared_ptr<ShowRequest>& request) {
  CLI::App* command = parent.add_subcommand(name, what);
  command->add_option("file", request->file, "trace file")->required()->type_name("FILE.trace");
  return command;
}

}  // namespace

void add_trace_info(CLI::App& parent, Action& action) {
  const auto request = std::make_shared<ShowRequest>();
  request->format = "table";
  CLI::App* command = add_shown(parent, "info", "count what a trace computes and moves", request);
  command->add_option("--format", request->format, "table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->type_name("NAME")
      ->capture_default_str();
  command->footer("Examples:\n  archsim trace info pi0.trace\n  archsim trace info pi0.trace --format json");
  command->callback([request, &action] {
    action = [request] {
      return show_trace(request->file, [&](const Trace& trace) {
        return request->format == "json" ? trace_info_json(trace).dump(1) + "\n" : trace_info_table(trace);
      });
    };
  });
}

void add_trace_cat(CLI::App& parent, Action& action) {
  const auto request = std::make_shared<ShowRequest>();
  CLI::App* command = add_shown(parent, "cat", "print one operator a line", request);
  command->footer("Examples:\n  archsim trace cat pi0.trace | grep attention");
  command->callback([request, &action] { action = [request] { return cat(request->file); }; });
}

namespace {

struct ExportRequest : ShowRequest {
  bool once = false;
};

Checked<std::string> exported(const Trace& trace, const ExportRequest& request) {
  if (request.format == "text") return list_trace(trace).text;
  if (request.format == "json") return trace_json(trace).dump(1) + "\n";
  if (request.format == "dot") return dot_graph(trace);
  const auto form = request.format == "scalesim" ? ScaleSimForm::gemm : ScaleSimForm::conv;
  return scalesim_topology(trace, {.form = form, .once = request.once});
}

int export_trace(const ExportRequest& request) {
  if (request.once && !request.format.starts_with("scalesim")) {
    Diagnostics wrong;
    wrong.error({}, "`--once` is for the formats scalesim and scalesim-conv; the others keep repetition as it is");
    return tell(wrong);
  }
  const auto trace = read_trace(request.file);
  if (!trace) return tell(trace.diagnostics());
  const auto text = exported(*trace, request);
  return text ? tell(write_stdout(*text)) : tell(text.diagnostics());
}

}  // namespace

void add_trace_export(CLI::App& parent, Action& action) {
  const auto request = std::make_shared<ExportRequest>();
  CLI::App* command = add_shown(parent, "export", "print the trace in another form", request);
  command->add_option("--format", request->format, "text, json, dot (Graphviz), scalesim (M,N,K) or scalesim-conv")
      ->required()
      ->check(CLI::IsMember({"text", "json", "scalesim", "scalesim-conv", "dot"}))
      ->type_name("NAME");
  command->add_flag("--once", request->once, "scalesim: each operator once, instead of once for each repeat");
  command->footer(
      "Examples:\n  archsim trace export pi0.trace --format text | less\n"
      "  archsim trace export pi0.trace --format dot | dot -Tsvg > pi0.svg\n"
      "  archsim trace export pi0.trace --format scalesim > pi0_gemm.csv");
  command->callback([request, &action] { action = [request] { return export_trace(*request); }; });
}

}  // namespace archsim
