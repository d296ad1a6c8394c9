#include "arch/mapping/explain.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/exit_status.h"
#include "app/files/read_inputs.h"
#include "app/files/write_file.h"
#include "app/report/text_table.h"
#include "arch/describe/near_name.h"
#include "arch/mapping/overrule/mapping_file.h"
#include "traces/file/trace_reader.h"

namespace archsim {
namespace {

struct ExplainRequest {
  std::string config, trace, name, use_mapping;
  std::vector<std::string> settings;
  unsigned top = 8;
};

constexpr auto kExamples = R"(Examples:
  archsim explain --config configs/soc/edge_lpddr5.yaml --trace pi0.trace --operator flow_step.layer.mlp.gate
  archsim explain --config configs/soc/edge_lpddr5.yaml --trace pi0.trace --operator flow_step.layer.attention --top 20)";

std::uint32_t find_operator(const std::string& name, const std::vector<std::string>& names, Diagnostics& out) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::uint32_t>(found - names.begin());
  const auto near = near_name(name, names);
  out.error({}, fmt::format("the trace has no operator `{}`", name),
            near ? fmt::format("did you mean `{}`?", *near) : "`archsim trace cat` lists them");
  return 0;
}

std::string listed(const std::vector<std::uint32_t>& operators, const std::vector<std::string>& names) {
  std::string text;
  for (const std::uint32_t op : operators) text += (text.empty() ? "" : ", ") + names[op];
  return text;
}

TextTable headline(const Explanation& told, const std::vector<std::string>& names, const std::string& name) {
  TextTable table{name, {"<", "<"}, {}};
  if (!told.pass.empty()) table.rows.push_back({"fused", fmt::format("into {} by {}", names[told.main], told.pass)});
  table.rows.push_back({"runs on", told.runs_on});
  table.rows.push_back({told.runs_on.rfind("the host", 0) == 0 ? "because" : "thanks to", told.why});
  if (!told.fused.empty()) table.rows.push_back({"does as well", listed(told.fused, names)});
  table.rows.push_back({"executed", fmt::format("{} times", told.instances)});
  return table;
}

TextTable candidates(const Explanation& told, unsigned top) {
  TextTable table{fmt::format("{} ways of cutting fit; estimated cycles of one execution", told.candidates.size()),
                  {"<candidate", "cycles", "compute", "vector", "load", "store", "memory", "overhead", "<why it lost"},
                  {}};
  if (!told.is_quickest) table.title += "; a weight's layout or a mapping file kept the quickest from being chosen";
  const auto cycles = [](double value) { return fmt::format("{:.0f}", value); };
  for (std::size_t i = 0; i < std::min<std::size_t>(told.candidates.size(), std::size_t{top} + 1); ++i) {
    const Candidate& each = told.candidates[i];
    table.rows.push_back({each.what, cycles(each.cycles), cycles(each.terms.compute), cycles(each.terms.vector),
                          cycles(each.terms.load), cycles(each.terms.store), cycles(each.terms.memory),
                          cycles(each.terms.overhead), i == 0 ? "chosen" : why_it_lost(each, told.candidates[0])});
  }
  return table;
}

int run_explain(const ExplainRequest& request) {
  Diagnostics out;
  const auto spec = read_soc_file(request.config, request.settings);
  out.append(spec.diagnostics());
  const auto trace = read_trace(request.trace);
  out.append(trace.diagnostics());
  if (out.has_errors()) return tell(out);
  const auto machine = machine_view(*spec);
  const auto names = operator_names(*trace);
  const std::uint32_t op = find_operator(request.name, names, out);
  Overrules overrules;
  if (!request.use_mapping.empty()) {
    const auto source = read_source(request.use_mapping);
    if (!source) return tell(source.diagnostics());
    auto read = read_mapping(*source, *trace, machine);
    out.append(read.diagnostics());
    if (read) overrules = *std::move(read);
  }
  if (out.has_errors()) return tell(out);
  const auto planned = plan_trace(*trace, machine, machine.mapping, overrules);
  if (!planned) return tell(planned.diagnostics());
  tell(out);
  const Explanation told = explain(machine, *planned, op);
  std::string text = as_text(headline(told, names, request.name));
  if (!told.candidates.empty()) {
    const ScratchpadSplit split = planned->plans.split;
    text += fmt::format(
        "\n  scratchpads: {} for what one operator holds, {} for weights that run ahead, the same for all\n\n",
        show(Bytes(split.arena)), show(Bytes(split.ring)));
    text += as_text(candidates(told, request.top));
  }
  return tell(write_stdout(text));
}

}  // namespace

void add_explain(CLI::App& app, Action& action) {
  const auto request = std::make_shared<ExplainRequest>();
  CLI::App* command = app.add_subcommand("explain", "how an operator is mapped, the candidates, and why this one");
  command->add_option("--config", request->config, "SoC file")->required()->type_name("SOC.yaml");
  command->add_option("--trace", request->trace, "what is computed")->required()->type_name("FILE.trace");
  command->add_option("--operator", request->name, "of the trace")->required()->type_name("NAME");
  command->add_option("--set", request->settings, "override a value of the SoC file; may be repeated")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  command->add_option("--use-mapping", request->use_mapping, "map as this file says, the rest as usual")
      ->type_name("IN.yaml");
  command->add_option("--top", request->top, "how many of those that lost are listed")
      ->type_name("N")
      ->capture_default_str();
  command->footer(kExamples);
  command->callback([request, &action] { action = [request] { return run_explain(*request); }; });
}

}  // namespace archsim
