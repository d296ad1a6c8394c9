// archsim probe noc: every option is a line of NocProbe's table.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "app/command.h"
#include "app/commands/table_options.h"
#include "app/exit_status.h"
#include "app/report/text_table.h"
#include "arch/describe/table.h"
#include "arch/describe/values/enum_names.h"
#include "models/noc/probe/probe.h"

namespace archsim {
namespace {

struct NocProbeRequest {
  TypedOptions typed;
  bool is_detailed = false;
  std::string json;
};

constexpr auto kExamples =
    R"(--detailed goes flit by flit through input-queued routers; without it the packet-level model of the SoC answers, whose
buffers have no end. docs/noc.md says what each is.

Examples:
  archsim probe noc --topology mesh --columns 8 --rows 8 --traffic uniform --rate 0.30 --router r4 --detailed
  archsim probe noc --topology graph --graph two_clusters --rate 0.05 --detailed
  archsim probe noc --topology torus --columns 4 --rows 4 --vcs 4 --packet-flits 8 --rate 0.25 --detailed --json -)";

const ParamTable& probe_table() {
  static const ParamTable table = ParamTable::of<NocProbe>();
  return table;
}

Checked<NocProbe> probe_of(const NocProbeRequest& request) {
  Diagnostics out;
  const AnyParams params = read_options(probe_table(), request.typed, out);
  if (out.has_errors()) return out;
  return {params.get<NocProbe>(), out};
}

/// What was typed to choose the topology, for errors of routes.
Location topology_of(const NocProbe& probe) {
  return {make_source("--topology", std::string(enum_name(probe.topology))), 1, 1};
}

std::string as_json(const NocProbe& probe, const NocProbeResult& result, bool is_detailed) {
  const nlohmann::ordered_json json{{"schema", "archsim.probe/1"},
                                    {"version", kVersion},
                                    {"block", "noc"},
                                    {"topology", enum_name(probe.topology)},
                                    {"columns", probe.shape().columns},
                                    {"rows", probe.shape().rows},
                                    {"vcs", probe.vcs},
                                    {"buffer", probe.buffer},
                                    {"packet_flits", probe.packet_flits},
                                    {"router", enum_name(probe.router)},
                                    {"traffic", enum_name(probe.traffic)},
                                    {"rate", probe.rate},
                                    {"cycles", probe.cycles},
                                    {"seed", probe.seed},
                                    {"path", is_detailed ? "detailed" : "fast"},
                                    {"packets", result.packets},
                                    {"drained", result.is_drained},
                                    {"packet_latency_avg_cycles", result.packet_latency_avg_cycles},
                                    {"network_latency_avg_cycles", result.network_latency_avg_cycles},
                                    {"hops_avg", result.hops_avg},
                                    {"accepted_flits_per_node_cycle", result.accepted_flits_per_node_cycle}};
  return json.dump(1) + "\n";
}

std::string as_table(const NocProbe& probe, const NocProbeResult& result, bool is_detailed) {
  TextTable table{
      fmt::format("{} {}x{}, {} routers, {} traffic at {}, {} path",
                  probe.topology == NocTopology::graph ? probe.graph.name : std::string(enum_name(probe.topology)),
                  probe.shape().columns, probe.shape().rows, enum_name(probe.router), enum_name(probe.traffic),
                  probe.rate, is_detailed ? "detailed" : "fast"),
      {"<of the run", ""},
      {}};
  table.rows = {
      {"packets measured", std::to_string(result.packets) + (result.is_drained ? "" : ", others still under way")},
      {"packet latency, mean", fmt::format("{:.3f} cycles", result.packet_latency_avg_cycles)},
      {"in the network, mean", fmt::format("{:.3f} cycles", result.network_latency_avg_cycles)},
      {"routers visited, mean", fmt::format("{:.3f}", result.hops_avg)},
      {"accepted", fmt::format("{:.4f} flits/node/cycle", result.accepted_flits_per_node_cycle)}};
  return as_text(table);
}

int probe_noc(const NocProbeRequest& request) {
  const auto probe = probe_of(request);
  if (!probe) return tell(probe.diagnostics());
  const auto result =
      request.is_detailed ? probe_detailed(*probe, topology_of(*probe)) : probe_packets(*probe, topology_of(*probe));
  if (!result) return tell(result.diagnostics());
  return write_answer(request.json, as_json(*probe, *result, request.is_detailed),
                      as_table(*probe, *result, request.is_detailed));
}

}  // namespace

void add_probe_noc(CLI::App& probe, Action& action) {
  const auto request = std::make_shared<NocProbeRequest>();
  CLI::App* command = probe.add_subcommand("noc", "a network under packets of synthetic traffic");
  add_options(*command, probe_table(), request->typed);
  command->add_flag("--detailed", request->is_detailed, "flit by flit");
  command->add_option("--json", request->json, "write JSON there; `-`: standard output")->type_name("FILE");
  command->footer(kExamples);
  command->callback([request, &action] { action = [request] { return probe_noc(*request); }; });
}

}  // namespace archsim
