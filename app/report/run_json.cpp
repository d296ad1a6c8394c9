#include "app/report/run_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/account/label.h"
#include "app/answer/coverage.h"
#include "app/report/ppa/ppa_json.h"
#include "app/report/run_sections/sections.h"
#include "app/report/text_table.h"
#include "arch/describe/reference/reference.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

/// The double nearest to the decimal number of seconds: prints as that number.
double si(Time time) { return static_cast<double>(time.value) / 1e12; }

/// What the stage would take with a resource doubled, by the what-if timing: its time less what that saves of it.
Json if_doubled(const StageRow& row) {
  Json times = Json::object();
  for (std::size_t i = 1; i < kDoublings; ++i) {
    const auto doubling = static_cast<Doubling>(i);
    times[std::string(name_of(doubling))] = seconds(row.time) * (1.0 - saving(row.length, doubling));
  }
  return times;
}

Json stages_of(const Answer& answer) {
  Json stages = Json::array();
  for (const StageRow& row : answer.stages) {
    stages.push_back({{"name", row.name},
                      {"repeat", row.repeat},
                      {"time_s", si(row.time)},
                      {"macs", row.macs},
                      {"dram_bytes", row.dram_bytes},
                      {"bound", row.bound},
                      {"bound_s", si(row.lower_bound)},
                      {"utilization", row.utilization},
                      {"if_doubled_s", if_doubled(row)}});
    if (answer.ppa) stages.back()["energy_j"] = row.energy_j;
  }
  return stages;
}

Json operators_of(const Trace& trace, const Answer& answer) {
  Json operators = Json::array();
  for (const OperatorRow& row : answer.operators) {
    const Operator& op = trace.operators[row.operator_index];
    operators.push_back({{"index", row.index},
                         {"name", op.name},
                         {"op", name_of(op.type)},
                         {"stage", row.stage},
                         {"repeat_path", row.repeat_path},
                         {"engine", row.engine},
                         {"fused_into", row.fused_into},
                         {"start_s", si(row.start)},
                         {"end_s", si(row.end)},
                         {"macs", row.macs},
                         {"dram_bytes", row.dram_bytes},
                         {"bound", row.bound},
                         {"utilization", row.utilization}});
    if (answer.ppa) operators.back()["energy_j"] = row.energy_j;
  }
  return operators;
}

Json number(double value) {
  const auto whole = static_cast<std::uint64_t>(value >= 0.0 && value < 9e15 ? value : 0.0);
  if (static_cast<double>(whole) == value) return whole;
  return value;
}

Json initiators_of(const BlockReport& report) {
  Json initiators = Json::object();
  for (const InitiatorReport& initiator : report.initiators) {
    initiators[initiator.name.empty() ? "others" : initiator.name] = {{"read_bytes", initiator.traffic.read},
                                                                      {"written_bytes", initiator.traffic.written},
                                                                      {"waited_s", si(initiator.waited)}};
  }
  return initiators;
}

Json targets_of(const BlockReport& report) {
  Json targets = Json::object();
  for (const TargetReport& target : report.targets) {
    if (target.traffic == Traffic{}) continue;
    targets[target.name] = {{"read_bytes", target.traffic.read}, {"written_bytes", target.traffic.written}};
  }
  return targets;
}

Json blocks_of(const RunResult& result) {
  Json blocks = Json::object();
  for (const BlockReport& report : result.blocks) {
    Json stats = Json::object(), events = Json::object(), engines = Json::object();
    for (const auto& [name, value] : report.stats) stats[name] = number(value);
    for (const auto& [name, count] : report.events) events[name] = count;
    for (const EngineReport& engine : report.engines) {
      Json shares{{"busy_s", si(engine.busy)}};
      for (const auto& [reason, time] : engine.waits) shares["wait_" + reason + "_s"] = si(time);
      shares["idle_s"] = si(engine.idle);
      engines[engine.name] = std::move(shares);
    }
    blocks[report.name] = {{"kind", report.kind},
                           {"model", report.model},
                           {"stats", std::move(stats)},
                           {"events", std::move(events)},
                           {"engines", std::move(engines)}};
    if (!report.initiators.empty()) blocks[report.name]["initiators"] = initiators_of(report);
    if (!report.targets.empty()) blocks[report.name]["targets"] = targets_of(report);
  }
  return blocks;
}

Json gap_shares(const GapAccount& gap) {
  Json shares = Json::object();
  for (const auto& [name, share_s] : gap.shares) shares[name] = share_s;
  return shares;
}

Json host_of(const Answer& answer) {
  Json host = Json::array();
  for (const HostRow& row : answer.host) {
    host.push_back({{"name", row.name}, {"instances", row.instances}, {"busy_s", si(row.busy)}, {"why", row.why}});
  }
  return host;
}

Json coverage_of(const RunInputs& inputs, const Answer& answer) {
  Json rows = Json::array();
  for (const CoverageRow& row : coverage(inputs, answer)) {
    rows.push_back({{"op", row.op},
                    {"dtypes", row.dtypes},
                    {"engine", row.engine},
                    {"decided_by", row.decided_by},
                    {"why", row.why},
                    {"operators", row.operators},
                    {"instances", row.instances},
                    {"time_s", si(row.time)},
                    {"host_bytes", row.host_bytes},
                    {"launches", row.launches},
                    {"syncs", row.syncs},
                    {"host_maintenance_s", si(row.maintenance)},
                    {"host_launch_s", si(row.launching)},
                    {"host_sync_s", si(row.syncing)},
                    {"host_compute_s", si(row.computing)}});
  }
  return rows;
}

Json memory_of(const Program& program) {
  Json memory = Json::array();
  for (const MemoryPeak& peak : program.peaks) {
    memory.push_back(
        {{"memory", peak.memory}, {"used_bytes", peak.used_bytes}, {"capacity_bytes", peak.capacity_bytes}});
  }
  return memory;
}

Json spills_of(const RunInputs& inputs) {
  Json spills = Json::array();
  for (const Spill& spill : inputs.program.spills) {
    // Behind those of the trace stand copies that the mapping adds.
    const bool is_of_trace = spill.tensor < inputs.trace.tensors.size();
    spills.push_back({{"tensor", is_of_trace ? inputs.trace.tensors[spill.tensor].name : "copy"},
                      {"bytes", spill.bytes},
                      {"traffic_bytes", spill.traffic_bytes}});
  }
  return spills;
}

Json sampling_of(const SampledFacts& facts, Time time) {
  Json loops = Json::array();
  for (const SampledLoop& loop : facts.sampling.loops) {
    if (loop.copied == 0) continue;
    loops.push_back(
        {{"name", loop.name}, {"iterations", loop.count}, {"executed", loop.simulated}, {"copied", loop.copied}});
  }
  return {{"error_s", si(facts.error)},
          {"error", time == Time::zero() ? 0.0 : seconds(facts.error) / seconds(time)},
          {"loops", std::move(loops)}};
}

}  // namespace

std::string run_json(const RunFacts& facts, const RunInputs& inputs, const RunResult& result, const Answer& answer) {
  Json json{{"schema", "archsim.run/1"},
            {"version", facts.version},
            {"fidelity", facts.fidelity},
            {"seed", facts.seed},
            {"config", to_json(inputs.spec.resolved())}};
  json["trace"] = {{"model", inputs.trace.model},
                   {"digest", inputs.trace.digest},
                   {"operators", inputs.trace.operators.size()},
                   {"executed_operators", answer.counts.executed_operators},
                   {"macs", answer.counts.macs},
                   {"weight_bytes", answer.counts.weight_bytes},
                   {"actions", actions_of(inputs.trace)}};
  json["time_s"] = si(answer.time);
  if (facts.sampled) json["sampling"] = sampling_of(*facts.sampled, answer.time);
  json["macs"] = answer.counts.macs;
  json["dram_read_bytes"] = answer.dram_read_bytes;
  json["dram_write_bytes"] = answer.dram_write_bytes;
  json["bound"] = answer.bound;
  json["roofline"] = {{"bound_s", si(answer.lower_bound)},
                      {"efficiency", answer.efficiency},
                      {"gap_s", answer.gap.gap_s},
                      {"gap_accounted", answer.gap.accounted},
                      {"gap_shares_s", gap_shares(answer.gap)},
                      {"ceilings", ceilings_section(inputs)}};
  if (answer.ppa) json["ppa"] = ppa_json(*answer.ppa, answer.robot);
  json["stages"] = stages_of(answer);
  json["host_operators"] = host_of(answer);
  // The bound alone knows no mapping.
  const bool is_mapped = !inputs.program.operators.empty();
  if (is_mapped) {
    json["coverage"] = coverage_of(inputs, answer);
    json["memory"] = memory_of(inputs.program);
    json["spills"] = spills_of(inputs);
  }
  json["blocks"] = blocks_of(result);
  if (is_mapped) json["work"] = work_section(inputs, answer);
  json["operators"] = operators_of(inputs.trace, answer);
  return json.dump(1) + "\n";
}

std::string ops_csv(const Trace& trace, const Answer& answer) {
  std::string out = csv_line({"index", "name", "op", "stage", "repeat_path", "engine", "fused_into", "start_s", "end_s",
                              "macs", "dram_bytes", "bound", "utilization"});
  for (const OperatorRow& row : answer.operators) {
    const Operator& op = trace.operators[row.operator_index];
    out += csv_line({fmt::to_string(row.index), op.name, std::string(name_of(op.type)), row.stage, row.repeat_path,
                     row.engine, row.fused_into, fmt::to_string(si(row.start)), fmt::to_string(si(row.end)),
                     fmt::to_string(row.macs), fmt::to_string(row.dram_bytes), row.bound,
                     fmt::to_string(row.utilization)});
  }
  return out;
}

}  // namespace archsim
