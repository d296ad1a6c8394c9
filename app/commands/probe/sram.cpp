// archsim probe sram: every option but the pattern is a line of SramProbe's table.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/command.h"
#include "app/commands/table_options.h"
#include "app/exit_status.h"
#include "app/report/text_table.h"
#include "arch/describe/near_name.h"
#include "arch/describe/table.h"
#include "arch/describe/values/enum_names.h"
#include "models/sram/probe/probe.h"

namespace archsim {
namespace {

struct SramProbeRequest {
  TypedOptions typed;
  std::string pattern = "seq", json;
};

constexpr auto kExamples =
    R"(Every requester has a port and asks for a word a cycle; a bank serves one of them at a time, in turn.

Examples:
  archsim probe sram --banks 16 --port-width '32 B' --pattern rand --requesters 8 --requests 100000
  archsim probe sram --capacity '256 KiB' --pattern stride:512 --access mix --json -)";

const ParamTable& probe_table() {
  static const ParamTable table = ParamTable::of<SramProbe>();
  return table;
}

SramPattern pattern_of(const std::string& text, Diagnostics& out) {
  constexpr std::string_view kStride = "stride:";
  if (text == "seq") return {.kind = SramPattern::Kind::seq};
  if (text == "rand") return {.kind = SramPattern::Kind::rand};
  SramPattern pattern{.kind = SramPattern::Kind::stride};
  if (text.starts_with(kStride)) {
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data() + kStride.size(), end, pattern.stride);
    if (error == std::errc() && at == end && pattern.stride > 0) return pattern;
  }
  const Location where{make_source("--pattern", text), 1, 1};
  out.error(where, "`" + text + "` is no pattern",
            text.starts_with("stride") ? "write it like `stride:512`, in bytes"
                                       : help_for_unknown(text, {"seq", "rand", "stride:BYTES"}));
  return {};
}

Checked<std::pair<SramProbe, SramPattern>> probe_of(const SramProbeRequest& request) {
  Diagnostics out;
  const AnyParams params = read_options(probe_table(), request.typed, out);
  const SramPattern pattern = pattern_of(request.pattern, out);
  if (out.has_errors()) return out;
  return {{params.get<SramProbe>(), pattern}, out};
}

std::string as_json(const SramProbeRequest& request, const SramProbe& probe, const SramProbeResult& result) {
  const nlohmann::ordered_json json{{"schema", "archsim.probe/1"},
                                    {"version", kVersion},
                                    {"block", "sram"},
                                    {"capacity_bytes", probe.capacity.value},
                                    {"banks", probe.banks},
                                    {"port_width_bytes", probe.port_width.value},
                                    {"bank_cycle_cycles", probe.bank_cycle.value},
                                    {"latency_cycles", probe.latency.value},
                                    {"clock_hz", probe.clock.value},
                                    {"pattern", request.pattern},
                                    {"access", enum_name(probe.access)},
                                    {"requesters", probe.requesters},
                                    {"requests", probe.requests},
                                    {"seed", probe.seed},
                                    {"cycles", result.cycles},
                                    {"reads", result.reads},
                                    {"writes", result.writes},
                                    {"bandwidth_bytes_per_s", result.bandwidth_bytes_per_s},
                                    {"latency_avg_s", result.latency_avg_s},
                                    {"conflicts", result.conflicts}};
  return json.dump(1) + "\n";
}

std::string as_table(const SramProbeRequest& request, const SramProbe& probe, const SramProbeResult& result) {
  TextTable table{fmt::format("{} banks of {} B words, {} x {}, {}", probe.banks, probe.port_width.value,
                              probe.requesters, request.pattern, enum_name(probe.access)),
                  {"<of the run", ""},
                  {}};
  table.rows = {{"bandwidth", fmt::format("{:.3f} GB/s", result.bandwidth_bytes_per_s * 1e-9)},
                {"latency, mean", fmt::format("{:.3f} ns", result.latency_avg_s * 1e9)},
                {"conflicts", std::to_string(result.conflicts)},
                {"cycles", std::to_string(result.cycles)}};
  return as_text(table);
}

int run_probe(const SramProbeRequest& request) {
  const auto checked = probe_of(request);
  if (!checked) return tell(checked.diagnostics());
  const auto& [probe, pattern] = *checked;
  const SramProbeResult result = probe_sram(probe, pattern);
  return write_answer(request.json, as_json(request, probe, result), as_table(request, probe, result));
}

}  // namespace

void add_probe_sram(CLI::App& probe, Action& action) {
  const auto request = std::make_shared<SramProbeRequest>();
  CLI::App* command = probe.add_subcommand("sram", "banks of on-chip SRAM under several requesters");
  add_options(*command, probe_table(), request->typed);
  command->add_option("--pattern", request->pattern, "seq, rand or stride:BYTES, for each requester")
      ->type_name("")
      ->capture_default_str();
  command->add_option("--json", request->json, "write JSON there; `-`: standard output")->type_name("FILE");
  command->footer(kExamples);
  command->callback([request, &action] { action = [request] { return run_probe(*request); }; });
}

}  // namespace archsim
