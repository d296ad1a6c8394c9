#include "models/accel/cosim/cosim.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/exit_status.h"
#include "app/files/write_file.h"
#include "app/report/cosim_table.h"
#include "app/report/text_table.h"
#include "arch/machine/soc_spec.h"
#include "arch/mapping/map.h"
#include "models/accel/cosim/matmul_trace.h"
#include "models/accel/rtl/built.h"
#include "models/catalog.h"
#include "traces/file/trace_reader.h"

namespace archsim {
namespace {

struct CosimArguments {
  std::string config, trace, matmul;
  std::vector<std::string> settings;
  std::string json, waves, window;
  std::optional<std::uint64_t> latency;
  std::uint64_t seed = 1;
};

constexpr auto kExamples =
    R"(The model and the RTL stand behind the same ideal memory: the DRAM's unloaded latency, and the port's bandwidth
each way. Its bytes are random; what the RTL has stored is compared with the functional executor.

Examples:
  archsim cosim --config configs/soc/rtl_small.yaml --matmul 64x48x32
  archsim cosim --config configs/soc/rtl_small.yaml --matmul 8x8x8 --latency 200 --json -
  archsim cosim --config configs/soc/rtl_small.yaml --trace int8.trace --waves out.fst --window 0:2000)";

/// "64x48x32" as M, N, K.
std::optional<std::array<std::uint32_t, 3>> shape_of(const std::string& text) {
  std::array<std::uint32_t, 3> shape{};
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0 && (at == end || *at++ != 'x')) return {};
    const auto [next, error] = std::from_chars(at, end, shape[i]);
    if (error != std::errc() || shape[i] == 0) return {};
    at = next;
  }
  return at == end ? std::optional(shape) : std::nullopt;
}

std::optional<rtl::Waves> waves_of(const CosimArguments& arguments, Diagnostics& out) {
  rtl::Waves waves{.path = arguments.waves};
  if (arguments.window.empty()) return waves;
  const char* at = arguments.window.data();
  const char* const end = at + arguments.window.size();
  const auto [colon, first_error] = std::from_chars(at, end, waves.first);
  const bool has_colon = first_error == std::errc() && colon != end && *colon == ':';
  const auto [rest, last_error] = std::from_chars(has_colon ? colon + 1 : end, end, waves.last);
  if (has_colon && last_error == std::errc() && rest == end && waves.first <= waves.last) return waves;
  out.error({}, "`" + arguments.window + "` is no time window", "FIRST:LAST, in cycles from the start, such as 0:2000");
  return {};
}

/// The work: a trace file's, or one product.
std::optional<Trace> trace_of(const CosimArguments& arguments, Diagnostics& out) {
  if (!arguments.trace.empty()) {
    auto trace = read_trace(arguments.trace);
    out.append(trace.diagnostics());
    if (trace) return *std::move(trace);
    return {};
  }
  const auto shape = shape_of(arguments.matmul);
  if (!shape) {
    out.error({}, "`" + arguments.matmul + "` is no shape of a product",
              "MxNxK with positive numbers, such as 64x48x32");
    return {};
  }
  return matmul_trace((*shape)[0], (*shape)[1], (*shape)[2]);
}

struct Job {
  SystolicParams params;
  Frequency clock = Frequency::zero();
  const rtl::BuiltCore* core = nullptr;
  MachineView machine;
  Trace trace;
  Program program;
};

/// The machine of the file with its first accelerator alone, as the RTL has it.
std::optional<MachineView> machine_of(const SocSpec& spec, const SystolicParams& params) {
  MachineView machine = machine_view(spec);
  AcceleratorCapabilities can = rtl_capabilities(params, spec.accelerators().front()->clock);
  can.name = machine.accelerators.front().name;
  machine.accelerators = {std::move(can)};
  machine.l2.reset();
  return machine;
}

/// Operators that the accelerator does not run are errors here.
void refuse_others(const Job& job, Diagnostics& out) {
  constexpr std::size_t kTold = 10;
  std::size_t refused = 0;
  for (std::size_t i = 0; i < job.trace.operators.size(); ++i) {
    const OperatorMapping& mapping = job.program.operators[i];
    if (mapping.lead != i || (mapping.runs_on != RunsOn::host && mapping.runs_on != RunsOn::vector)) continue;
    if (++refused > kTold) continue;
    const Operator& op = job.trace.operators[i];
    const std::string why = mapping.why.empty() ? "it needs the vector unit" : mapping.why;
    out.error({}, fmt::format("the RTL does not run operator `{}` ({}): {}", op.name, name_of(op.type), why));
  }
  if (refused == 0) return;
  if (refused > kTold) out.error({}, fmt::format("nor {} more operators", refused - kTold));
  out.note({}, "the RTL has int8 products and the DMA, and no vector unit",
           "`--matmul MxNxK` runs one product; an int8 trace of linear operators runs too");
}

std::unique_ptr<Job> prepare(const CosimArguments& arguments, Diagnostics& out) {
  auto job = std::make_unique<Job>();
  auto trace = trace_of(arguments, out);
  const auto source = read_source(arguments.config);
  out.append(source.diagnostics());
  if (!source) return nullptr;
  const auto spec = read_soc(*source, arguments.settings, catalog());
  out.append(spec.diagnostics());
  if (!spec) return nullptr;
  const BlockSpec& block = *spec->accelerators().front();
  const auto& given = block.params.get<SystolicParams>();
  const auto core = core_for(given, 1, {*source, 0, 0});
  out.append(core.diagnostics());
  if (out.has_errors()) return nullptr;
  job->params = rtl_subset(given);
  job->clock = block.clock;
  job->core = *core;
  job->machine = *machine_of(*spec, job->params);
  job->trace = *std::move(trace);
  auto program = map(job->trace, job->machine);
  out.append(program.diagnostics());
  if (!program) return nullptr;
  job->program = *std::move(program);
  refuse_others(*job, out);
  return out.has_errors() ? nullptr : std::move(job);
}

int run(const CosimArguments& arguments) {
  Diagnostics out;
  if (arguments.trace.empty() == arguments.matmul.empty()) {
    out.error({}, "one of `--trace` and `--matmul` is needed", "see `archsim cosim --help`");
  }
  if (!arguments.json.empty()) out.append(keeps_inputs(arguments.json, {arguments.config, arguments.trace}));
  if (!arguments.waves.empty()) out.append(keeps_inputs(arguments.waves, {arguments.config, arguments.trace}));
  if (arguments.latency == std::uint64_t{0}) out.error({}, "a memory that answers at once: --latency is at least 1");
  const auto waves = waves_of(arguments, out);
  std::unique_ptr<Job> job;
  if (!out.has_errors()) job = prepare(arguments, out);
  if (const int status = tell(out); job == nullptr || status != exit_status::kDone) return exit_status::kWrongInput;

  const Cycles dram_latency = next_edge(job->clock, job->machine.dram.latency);
  const CosimRequest request{.params = job->params,
                             .clock = job->clock,
                             .core = job->core,
                             .program = &job->program,
                             .memory = {.name = job->machine.dram.name,
                                        .base = job->machine.dram.base,
                                        .bytes = job->machine.dram.capacity.value},
                             .latency = arguments.latency.value_or(std::max<std::uint64_t>(1, dram_latency.value)),
                             .seed = arguments.seed,
                             .waves = *waves};
  const CosimResult result = cosim(request);
  if (!result.problem.empty()) {
    fmt::print(stderr, "error: {}\n", result.problem);
    return exit_status::kStuck;
  }
  Diagnostics written;
  const std::string json = cosim_json(result);
  if (!arguments.json.empty() && arguments.json != "-") written.append(write_file(arguments.json, json));
  written.append(write_stdout(arguments.json == "-" ? json : cosim_text(request, job->trace, result)));
  if (const int status = tell(written); status != exit_status::kDone) return status;
  return result.data_match ? exit_status::kDone : exit_status::kLimitPassed;
}

}  // namespace

void add_cosim(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<CosimArguments>();
  CLI::App* command = app.add_subcommand("cosim", "one program on the accelerator's model and on its RTL");
  command->add_option("--config", arguments->config, "SoC file; its first accelerator")
      ->required()
      ->type_name("SOC.yaml");
  command->add_option("--trace", arguments->trace, "what is computed")->type_name("FILE.trace");
  command->add_option("--matmul", arguments->matmul, "one int8 product instead")->type_name("MxNxK");
  command->add_option("--set", arguments->settings, "override a value of the SoC file; may be repeated")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  command->add_option("--latency", arguments->latency, "of the memory, in cycles of the accelerator")->type_name("N");
  command->add_option("--seed", arguments->seed, "of the memory's bytes")->type_name("N")->capture_default_str();
  command->add_option("--json", arguments->json, "write the numbers; - is standard output")->type_name("FILE");
  command->add_option("--waves", arguments->waves, "write the RTL's signals")->type_name("OUT.fst");
  command->add_option("--window", arguments->window, "of the waves, in cycles from the start")->type_name("FIRST:LAST");
  command->footer(kExamples);
  command->callback([arguments, &action] { action = [arguments] { return run(*arguments); }; });
}

}  // namespace archsim
