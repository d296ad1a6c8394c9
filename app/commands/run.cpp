#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <chrono>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/answer/answer.h"
#include "app/answer/roofline_answer.h"
#include "app/command.h"
#include "app/exit_status.h"
#include "app/files/read_inputs.h"
#include "app/files/write_file.h"
#include "app/outputs/run_outputs.h"
#include "app/report/run_json.h"
#include "app/report/run_sections/sampled_table.h"
#include "app/report/run_table.h"
#include "app/terminal/interrupt.h"
#include "app/terminal/progress.h"
#include "arch/describe/values/value.h"
#include "arch/mapping/overrule/mapping_file.h"
#include "arch/mapping/planned.h"
#include "arch/mapping/sample.h"
#include "arch/soc/soc.h"
#include "models/roofline/bound.h"
#include "traces/file/trace_reader.h"

namespace archsim {
namespace {

struct RunRequest {
  std::string config, trace;
  std::vector<std::string> settings;
  std::string fidelity = "full";
  std::string seed = "1";  // as written: read as a number by the command line's parser, -1 would wrap
  std::string out, json, format = "table";
  std::string mapping, use_mapping;
  std::string tech;
  std::string watchdog = "100 ms";
  bool is_quiet = false, wants_coverage = false;
  std::string progress = "auto";
  RunOutputs outputs;
};

constexpr auto kExamples = R"(Examples:
  archsim run --config configs/soc/edge_lpddr5.yaml --trace pi0.trace
  archsim run --config configs/soc/edge_lpddr5.yaml --trace pi0.trace --set npu.rows=128 --set "clocks.npu=1.2 GHz"
  archsim run --config configs/soc/edge_lpddr5.yaml --trace pi0.trace --fidelity roofline
  archsim run --config configs/soc/edge_lpddr5.yaml --trace pi0.trace --out results --quiet
  archsim run --config configs/soc/edge_lpddr5.yaml --trace pi0.trace --report report.html --timeline timeline.json)";

using Wall = std::chrono::steady_clock;

double seconds_since(Wall::time_point start) { return std::chrono::duration<double>(Wall::now() - start).count(); }

/// What the command line says in words and the run takes as numbers.
struct Knobs {
  std::uint64_t seed = 1;
  Time watchdog = Time::zero();
};

/// Everything that is read and derived before the simulation.
struct Job {
  SocSpec spec;
  MachineView machine;
  Trace trace;
  std::string mapping;  // as a file; empty if nobody asked
  Program program;
  std::optional<Sampling> sampling;  // how the program was shortened
  Bound bound;
  std::optional<Tech> tech;
};

/// Every executed operator is a row of the answer; past this many, the rows alone take gigabytes.
constexpr std::uint64_t kMostInstances = 5'000'000;

void limit_instances(const Trace& trace, Diagnostics& out) {
  std::uint64_t instances = 0;
  for (const Position& position : positions(trace)) {
    instances += position.instances;
    if (instances <= kMostInstances) continue;
    const Stage& stage = trace.stages[position.stage];
    out.error({},
              fmt::format("stage `{}`, repeated {} times, brings the trace past {} executed operators", stage.name,
                          trace.loops[stage.repeat.loop].count, kMostInstances),
              "build the trace with fewer repeats: their cost is linear");
    return;
  }
}

Checked<Program> mapped(const RunRequest& request, Job& job) {
  Overrules overrules;
  if (!request.use_mapping.empty()) {
    const auto source = read_source(request.use_mapping);
    if (!source) return source.diagnostics();
    auto read = read_mapping(*source, job.trace, job.machine);
    if (!read) return read.diagnostics();
    overrules = *std::move(read);
  }
  auto planned = plan_trace(job.trace, job.machine, job.machine.mapping, overrules);
  if (!planned) return planned.diagnostics();
  if (!request.mapping.empty()) job.mapping = write_mapping(job.trace, job.machine, *planned);
  if (request.fidelity == "sampled") job.sampling = sample(*planned, job.machine);
  return program_of(job.trace, job.machine, job.machine.mapping, *std::move(planned));
}

/// Of the SoC file or the command line; neither need name one.
void read_tech(const RunRequest& request, Job& job, Diagnostics& out) {
  if (request.tech.empty() && !job.spec.tech) return;
  auto tech = tech_of(job.spec, request.tech);
  out.append(tech.diagnostics());
  if (!tech) return;
  job.tech = *std::move(tech);
  out.append(unpriced(job.spec));
}

std::unique_ptr<Job> prepare(const RunRequest& request, Diagnostics& out) {
  auto job = std::make_unique<Job>();
  auto spec = read_soc_file(request.config, request.settings);
  out.append(spec.diagnostics());
  if (spec) {
    job->spec = *std::move(spec);
    read_tech(request, *job, out);
  }
  auto trace = read_trace(request.trace);
  out.append(trace.diagnostics());
  for (const std::string& written : {request.json, request.mapping}) {
    if (!written.empty()) out.append(keeps_inputs(written, {request.config, request.trace}));
  }
  out.append(request.outputs.check({request.config, request.trace}));
  if (trace) limit_instances(*trace, out);
  if (out.has_errors()) return nullptr;
  job->trace = *std::move(trace);
  job->machine = machine_view(job->spec);
  if (request.fidelity == "roofline") return job;
  const BlockSpec* const whole = executes_everything(job->spec);
  if (request.fidelity == "sampled" && whole != nullptr) {
    out.error({}, "`" + whole->name + "` is its RTL, which executes every command; fidelity `sampled` leaves most out",
              "run with `--fidelity full`");
    return nullptr;
  }
  auto program = mapped(request, *job);
  out.append(program.diagnostics());
  if (!program) return nullptr;
  job->program = *std::move(program);
  job->bound = bound(job->trace, job->machine);
  return job;
}

std::string meta_json(const RunRequest& request, double prepare_s, double simulate_s) {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const nlohmann::ordered_json json{{"schema", "archsim.run_meta/1"},
                                    {"config_file", request.config},
                                    {"trace_file", request.trace},
                                    {"settings", request.settings},
                                    {"host", host.data()},
                                    {"finished_unix_s", std::chrono::duration_cast<std::chrono::seconds>(now).count()},
                                    {"prepare_wall_s", prepare_s},
                                    {"simulate_wall_s", simulate_s},
                                    {"peak_memory_bytes", static_cast<std::uint64_t>(usage.ru_maxrss) * 1024}};
  return json.dump(1) + "\n";
}

std::string fault_text(const Fault& fault) {
  std::string text = fmt::format("error: the simulated machine is stuck: {} of `{}` at {}\n  {}\n", name_of(fault.kind),
                                 fault.block, show(fault.time), fault.what);
  for (const std::string& line : fault.waiting) text += "  " + line + "\n";
  return text;
}

/// What goes to standard output.
std::string printed(const RunRequest& request, const RunInputs& inputs, const RunResult& result, const Answer& told,
                    const std::optional<TextTable>& sampled) {
  if (request.format == "csv") return ops_csv(inputs.trace, told);
  std::string text;
  auto tables = request.fidelity == "roofline" ? roofline_run_tables(inputs, told) : run_tables(inputs, result, told);
  if (sampled) tables.push_back(*sampled);
  if (request.wants_coverage) {
    for (TextTable& table : coverage_tables(inputs, told)) tables.push_back(std::move(table));
  }
  for (const TextTable& table : tables) {
    text += (text.empty() ? "" : "\n") + (request.format == "markdown" ? as_markdown(table) : as_text(table));
  }
  return text;
}

struct WallTimes {
  double prepare_s = 0.0, simulate_s = 0.0;
};

/// What a run came to, and of a sampled one the estimated error of its time.
struct Simulated {
  RunResult result;
  Time error = Time::zero();
};

struct Outcome {
  const Simulated& simulated;
  WallTimes wall;
};

Diagnostics write_results(const RunRequest& request, const Job& job, const Knobs& knobs, const Outcome& outcome) {
  const RunResult& result = outcome.simulated.result;
  const WallTimes& wall = outcome.wall;
  const RunInputs inputs{job.spec, job.machine, job.trace, job.program, job.bound, job.tech ? &*job.tech : nullptr};
  const bool is_roofline = request.fidelity == "roofline";
  const Answer told = is_roofline ? roofline_answer(job.trace, job.machine) : answer(inputs, result);
  RunFacts facts{kVersion, request.fidelity, knobs.seed};
  if (job.sampling) facts.sampled.emplace(SampledFacts{*job.sampling, outcome.simulated.error});
  std::string json = run_json(facts, inputs, result, told);
  std::optional<TextTable> sampled;
  if (job.sampling) sampled = sampled_table(*facts.sampled, told.time);
  const std::string doubled = request.outputs.what_if({request.config,
                                                       request.trace,
                                                       request.settings,
                                                       {"--seed", request.seed, "--fidelity", request.fidelity},
                                                       is_interrupted},
                                                      json);
  Diagnostics out = request.outputs.write(inputs, told, json);
  if (!request.out.empty()) {
    out.append(make_folder(request.out));
    if (out.has_errors()) return out;
    out.append(write_file(request.out + "/run.json", json));
    out.append(write_file(request.out + "/ops.csv", ops_csv(job.trace, told)));
    out.append(write_file(request.out + "/run.meta.json", meta_json(request, wall.prepare_s, wall.simulate_s)));
  }
  if (!request.mapping.empty()) out.append(write_file(request.mapping, job.mapping));
  const bool json_to_stdout = request.json == "-";
  if (!request.json.empty() && !json_to_stdout) out.append(write_file(request.json, json));
  if (json_to_stdout) {
    out.append(write_stdout(json));
  } else if (!request.is_quiet) {
    const bool is_text = request.format == "table" || request.format == "markdown";
    const std::string text = request.format == "json" ? json : printed(request, inputs, result, told, sampled);
    out.append(write_stdout(text + (is_text ? doubled : "")));
  }
  return out;
}

Simulated simulate(RunRequest& request, const Job& job, const Knobs& knobs) {
  const bool is_off = request.progress == "off" || (request.is_quiet && request.progress == "auto");
  ProgressLine progress(is_off                     ? ProgressMode::off
                        : request.progress == "on" ? ProgressMode::on
                                                   : ProgressMode::automatic);
  RunOptions options{.seed = knobs.seed, .watchdog = knobs.watchdog};
  options.on_progress = [&](double fraction, Time simulated) { progress.show(fraction, simulated); };
  options.is_interrupted = is_interrupted;
  request.outputs.watch(options, job.spec, job.bound.time);
  options.sampling = job.sampling ? &*job.sampling : nullptr;
  Soc soc(job.spec, job.trace, job.program, options);
  Simulated simulated{soc.run()};
  simulated.error = soc.sampling_error();
  return simulated;
}

Knobs read_knobs(const RunRequest& request, Diagnostics& out) {
  Knobs knobs;
  if (request.fidelity != "full" && request.fidelity != "sampled" && request.fidelity != "roofline") {
    out.error(
        {}, "there is no fidelity `" + request.fidelity + "`",
        "`full` simulates every operator, `sampled` a few of those that repeat, `roofline` tells the time that no "
        "mapping beats");
  }
  const bool is_of_mapping = request.wants_coverage || !request.mapping.empty() || !request.use_mapping.empty();
  if (request.fidelity == "roofline" && is_of_mapping) {
    out.error({}, "`--coverage`, `--mapping` and `--use-mapping` are about a mapping, and fidelity `roofline` has none",
              "leave one of them out");
  }
  if (request.fidelity == "roofline" && request.outputs.any()) {
    out.error({}, "`--timeline`, `--report` and `--what-if` tell of a simulation, and fidelity `roofline` has none",
              "leave one of them out");
  }
  if (request.fidelity == "sampled" && request.outputs.wants_timeline()) {
    out.error({}, "`--timeline` draws every command, and fidelity `sampled` executes a few of them",
              "leave it out, or run with `--fidelity full`");
  }
  const auto seed = detail::parse_whole(request.seed, std::numeric_limits<std::uint64_t>::max());
  if (seed) {
    knobs.seed = *seed.value;
  } else {
    out.error({}, "`" + request.seed + "` is no seed: " + seed.error, "write it like `--seed 1`, from 0 to 2^64 - 1");
  }
  const auto watchdog = parse<Time>(request.watchdog);
  if (watchdog && *watchdog.value != Time::zero()) {
    knobs.watchdog = *watchdog.value;
  } else {
    out.error({}, "`" + request.watchdog + "` is no time for `--watchdog`", "write it like `--watchdog '100 ms'`");
  }
  return knobs;
}

/// What a variable without a value leaves of `--out "$RESULTS"` must not pass for no option at all.
std::string is_named(const std::string& path) { return path.empty() ? "the name of a file or folder is missing" : ""; }

int run(RunRequest& request) {
  const auto began = Wall::now();
  end_on_interrupts();
  Diagnostics out;
  const Knobs knobs = read_knobs(request, out);
  const auto job = prepare(request, out);
  if (out.has_errors() || !request.is_quiet) tell(out);
  if (out.has_errors()) return exit_status::kWrongInput;

  WallTimes wall{.prepare_s = seconds_since(began)};
  const auto started = Wall::now();
  catch_interrupts();
  const Simulated simulated = request.fidelity == "roofline" ? Simulated{} : simulate(request, *job, knobs);
  const RunResult& result = simulated.result;
  wall.simulate_s = seconds_since(started);
  if (result.interrupted) {
    fmt::print(stderr, "interrupted at {} of simulated time; nothing was written\n", show(result.time));
    return exit_status::kInterrupted;
  }
  if (result.fault) {
    fmt::print(stderr, "{}", fault_text(*result.fault));
    return exit_status::kStuck;
  }
  return tell(write_results(request, *job, knobs, {simulated, wall}));
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  const auto request = std::make_shared<RunRequest>();
  CLI::App* command = app.add_subcommand("run", "simulate one SoC on one trace");
  command->add_option("--config", request->config, "SoC file")->required()->type_name("SOC.yaml");
  command->add_option("--trace", request->trace, "what is computed")->required()->type_name("FILE.trace");
  command->add_option("--set", request->settings, "override a value of the SoC file; may be repeated")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  command->add_option("--tech", request->tech, "technology in place of the SoC file's")
      ->check(is_named)
      ->type_name("NAME");
  command
      ->add_option("--fidelity", request->fidelity,
                   "full, sampled: a few of repeated iterations, or roofline: the bound alone")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--seed", request->seed, "of every random choice")->type_name("N")->capture_default_str();
  command->add_option("--watchdog", request->watchdog, "simulated time without progress that counts as stuck")
      ->type_name("TIME")
      ->capture_default_str();
  command->add_option("--out", request->out, "write run.json, ops.csv and run.meta.json there")
      ->check(is_named)
      ->type_name("DIR");
  command->add_option("--json", request->json, "write run.json there; `-`: standard output")
      ->check(is_named)
      ->type_name("FILE");
  command->add_option("--format", request->format, "what is printed: table, json, csv (operators) or markdown")
      ->check(CLI::IsMember({"table", "json", "csv", "markdown"}))
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--mapping", request->mapping, "write how the trace was mapped there")
      ->check(is_named)
      ->type_name("OUT.yaml");
  command->add_option("--use-mapping", request->use_mapping, "map as this file says, the rest as usual")
      ->check(is_named)
      ->type_name("IN.yaml");
  command->add_flag("--coverage", request->wants_coverage, "also print what runs where, and why");
  request->outputs.add_options(*command);
  command->add_flag("--quiet", request->is_quiet, "print errors only");
  command->add_option("--progress", request->progress, "auto (on a terminal), on or off")
      ->check(CLI::IsMember({"auto", "on", "off"}))
      ->type_name("MODE")
      ->capture_default_str();
  command->footer(kExamples);
  command->callback([request, &action] { action = [request] { return run(*request); }; });
}

}  // namespace archsim
