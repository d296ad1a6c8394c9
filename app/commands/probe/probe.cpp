#include "models/dram/probe/probe.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/commands/probe/accel.h"
#include "app/exit_status.h"
#include "app/files/write_file.h"
#include "app/report/text_table.h"
#include "arch/describe/near_name.h"
#include "arch/describe/values/enum_names.h"

namespace archsim {
namespace {

struct DramProbeRequest {
  std::string memory = "lpddr5-6400", pattern = "seq", access = "r", load = "sat", address_map = "bg64";
  std::string controller = "default", json;
  std::uint64_t requests = 40000;
  std::vector<std::string> settings;
  bool is_exact = false, is_hot = false;
};

constexpr auto kExamples =
    R"(The fast channel that the SoC uses answers for a sequential stream of reads or of writes with the default controller, map
and temperature; the exact one (command by command) for all else, and with --exact. docs/memory.md says what each is.

Examples:
  archsim probe dram --memory lpddr5-6400 --pattern rand --access r --load sat --requests 40000 --exact
  archsim probe dram --memory hbm3-6400 --pattern seq --access mix --load 0.50 --controller ramulator2 --json -
  archsim probe dram --memory ddr4-3200 --pattern rand --set read_entries=64 --set page=adaptive)";

template <class E>
E choice(const std::string& option, const std::string& text, Diagnostics& out) {
  const auto value = enum_from<E>(text);
  if (!value)
    out.error({}, "`" + option + "` has no choice `" + text + "`", help_for_unknown(text, enum_name_list<E>()));
  return value.value_or(E{});
}

std::optional<double> load_of(const std::string& text, Diagnostics& out) {
  if (text == "sat") return std::nullopt;
  char* end = nullptr;
  const double load = std::strtod(text.c_str(), &end);
  if (end != text.c_str() && *end == '\0' && load > 0.0 && load <= 1.0) return load;
  out.error({}, "`--load " + text + "` is neither `sat` nor a part of the peak", "write it like `0.50`");
  return std::nullopt;
}

ControllerParams controller_of(const DramProbeRequest& request, Diagnostics& out) {
  const auto found = find_controller(request.controller);
  out.append(found.diagnostics());
  if (!found) return {};
  const ParamTable table = ParamTable::of<ControllerParams>();
  ControllerParams controller = *found;
  if (request.address_map != "bg64" && request.address_map != "bg32") {
    out.error({}, "`--address-map` has no choice `" + request.address_map + "`", "one of `bg64`, `bg32`");
  }
  controller.address_map = named_address_map(request.address_map);
  AnyParams params = AnyParams::of(controller);
  for (const std::string& text : request.settings) {
    const auto setting = parse_assignment("--set", text, out);
    if (!setting) continue;
    std::string path;
    for (const YamlNode& key : setting->path) path += (path.empty() ? "" : ".") + key.scalar();
    table.set(params, path, setting->value, out);
  }
  table.check_rules(params, {}, out);
  return params.get<ControllerParams>();
}

Checked<DramProbe> probe_of(const DramProbeRequest& request) {
  Diagnostics out;
  DramProbe probe;
  const auto standard = find_dram_standard_as(request.controller, request.memory);
  out.append(standard.diagnostics());
  if (standard) probe.standard = *standard;
  probe.controller = controller_of(request, out);
  probe.pattern = choice<DramPattern>("--pattern", request.pattern, out);
  probe.access = choice<DramAccess>("--access", request.access, out);
  probe.load = load_of(request.load, out);
  probe.requests = request.requests;
  probe.temperature = request.is_hot ? DramTemperature::above_85_c : DramTemperature::normal;
  if (request.requests == 0) out.error({}, "`--requests 0` is nothing to measure", "at least 1");
  if (out.has_errors()) return out;
  const bool is_one_bank = probe.controller.refresh == RefreshPolicy::per_bank;
  if (is_one_bank && probe.standard.t_refi_bank.cycles(probe.standard.clock) == Cycles(0)) {
    return Diagnostic{.message = "`" + request.memory + "` has no refresh of one bank",
                      .help = "take `refresh=all_bank`"};
  }
  return {probe, out};
}

nlohmann::ordered_json seconds_or_null(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

std::string as_json(const DramProbeRequest& request, const DramProbeResult& result, bool is_exact) {
  const DramCounts& counts = result.counts;
  const nlohmann::ordered_json json{{"schema", "archsim.probe/1"},
                                    {"version", kVersion},
                                    {"block", "dram"},
                                    {"memory", request.memory},
                                    {"pattern", request.pattern},
                                    {"access", request.access},
                                    {"load", request.load},
                                    {"requests", request.requests},
                                    {"address_map", request.address_map},
                                    {"controller", request.controller},
                                    {"path", is_exact ? "exact" : "fast"},
                                    {"time_s", result.time_s},
                                    {"bandwidth_bytes_per_s", result.bandwidth_bytes_per_s},
                                    {"peak_bytes_per_s", result.peak_bytes_per_s},
                                    {"latency_avg_s", seconds_or_null(result.latency_avg_s)},
                                    {"latency_p50_s", seconds_or_null(result.latency_p50_s)},
                                    {"latency_p99_s", seconds_or_null(result.latency_p99_s)},
                                    {"latency_from_arrival_avg_s", seconds_or_null(result.latency_from_arrival_avg_s)},
                                    {"row_hits", result.row_hits()},
                                    {"row_misses", counts.activates},
                                    {"activates", counts.activates},
                                    {"precharges", counts.precharges},
                                    {"reads", counts.reads},
                                    {"writes", counts.writes},
                                    {"refreshes", counts.refreshes},
                                    {"powered_down_s", result.powered_down_s}};
  return json.dump(1) + "\n";
}

std::string as_table(const DramProbeRequest& request, const DramProbeResult& result, bool is_exact) {
  const auto ns = [](const std::optional<double>& s) { return s ? fmt::format("{:.2f} ns", *s * 1e9) : "-"; };
  const DramCounts& counts = result.counts;
  TextTable table{fmt::format("{} {} {} load {}, {} controller, {} path", request.memory, request.pattern,
                              request.access, request.load, request.controller, is_exact ? "exact" : "fast"),
                  {"<of the run", ""},
                  {}};
  table.rows = {{"bandwidth", fmt::format("{:.3f} GB/s", result.bandwidth_bytes_per_s * 1e-9)},
                {"of the peak", fmt::format("{:.2f} %", 100 * result.bandwidth_bytes_per_s / result.peak_bytes_per_s)},
                {"read latency, mean", ns(result.latency_avg_s)},
                {"read latency, median", ns(result.latency_p50_s)},
                {"read latency, 99 of 100 below", ns(result.latency_p99_s)},
                {"read latency from arrival, mean", ns(result.latency_from_arrival_avg_s)},
                {"row hits", std::to_string(result.row_hits())},
                {"activates", std::to_string(counts.activates)},
                {"precharges", std::to_string(counts.precharges)},
                {"reads (bursts)", std::to_string(counts.reads)},
                {"writes (bursts)", std::to_string(counts.writes)},
                {"refreshes", std::to_string(counts.refreshes)}};
  return as_text(table);
}

int probe_dram(const DramProbeRequest& request) {
  const auto probe = probe_of(request);
  if (!probe) return tell(probe.diagnostics());
  const bool is_exact = request.is_exact || !has_fast_answer(*probe) || !request.settings.empty();
  Checked<DramProbeResult> result = is_exact ? probe_exactly(*probe) : Checked<DramProbeResult>(probe_fast(*probe));
  if (!result) return tell(result.diagnostics());
  const std::string json = as_json(request, *result, is_exact);
  if (request.json == "-") return tell(write_stdout(json));
  Diagnostics out;
  if (!request.json.empty()) out.append(write_file(request.json, json));
  out.append(write_stdout(as_table(request, *result, is_exact)));
  return tell(out);
}

void add_probe_dram(CLI::App& probe, Action& action) {
  const auto request = std::make_shared<DramProbeRequest>();
  CLI::App* command = probe.add_subcommand("dram", "one DRAM channel (HBM: pseudo-channel) under 64 B requests");
  const auto text = [&](const char* option, std::string& value, const char* meaning, const char* type) {
    command->add_option(option, value, meaning)->type_name(type)->capture_default_str();
  };
  text("--memory", request->memory, "a file of configs/dram", "NAME");
  text("--pattern", request->pattern, "seq rand stride4k rowconf seq4 seq4skew tile", "NAME");
  text("--access", request->access, "r, w, or mix: every third is a write", "KIND");
  text("--load", request->load, "part of the peak that is asked for; sat: all at once", "sat|0.10..1");
  command->add_option("--requests", request->requests, "of 64 B")->type_name("N")->capture_default_str();
  text("--address-map", request->address_map, "bg64, or bg32: bank groups right above a burst", "NAME");
  text("--controller", request->controller, "default dramsys ramulator2 dramsim3", "NAME");
  command->add_option("--set", request->settings, "a value of the controller's; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_flag("--exact", request->is_exact, "command by command");
  command->add_flag("--hot", request->is_hot, "above 85 degrees C");
  command->add_option("--json", request->json, "write JSON there; `-`: standard output")->type_name("FILE");
  command->footer(kExamples);
  command->callback([request, &action] { action = [request] { return probe_dram(*request); }; });
}

}  // namespace

void add_probe(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("probe", "one block alone under a synthetic load");
  command->require_subcommand(1);
  add_probe_dram(*command, action);
  add_probe_noc(*command, action);
  add_probe_sram(*command, action);
  add_probe_accel(*command, action);
}

}  // namespace archsim
