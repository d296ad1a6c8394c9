#include "tests/validate/memory/reference.h"

#include <fstream>
#include <map>
#include <sstream>

#include "arch/describe/values/enum_names.h"
#include "tests/source_dir.h"
#include "tests/validate/csv.h"

namespace archsim {
namespace {

std::optional<double> number(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional<double>(std::stod(text));
}

std::string controller_of(const std::string& tool) {
  static const std::map<std::string, std::string> names = {
      {"Ramulator2", "ramulator2"}, {"DRAMSys", "dramsys"}, {"DRAMsim3", "dramsim3"}};
  return names.at(tool);
}

/// The part of a configuration's name that says which memory it is.
std::optional<std::string> memory_of(const std::string& config) {
  static const std::vector<std::pair<std::string, std::string>> names = {
      {"HBM2_2000_legacy128", ""},    {"LPDDR4_3200", "lpddr4-3200"},   {"LPDDR4_4266", "lpddr4-4266"},
      {"LPDDR5_6400", "lpddr5-6400"}, {"LPDDR5X_8533", "lpddr5x-8533"}, {"HBM2_2000", "hbm2-2000"},
      {"HBM3_6400", "hbm3-6400"},     {"DDR4_3200", "ddr4-3200"},       {"DDR5_4800", "ddr5-4800"}};
  for (const auto& [prefix, memory] : names) {
    if (config.starts_with(prefix)) return memory.empty() ? std::nullopt : std::optional(memory);
  }
  return std::nullopt;
}

}  // namespace

std::vector<ReferenceRow> reference_rows() {
  std::vector<ReferenceRow> rows;
  for (const auto& cells : read_csv("dram_reference.csv")) {
    const auto count = [&](const char* column) { return std::stoull(cells.at(column)); };
    rows.push_back({.tool = cells.at("tool"),
                    .config = cells.at("config"),
                    .pattern = cells.at("pattern"),
                    .access = cells.at("rw"),
                    .load = cells.at("load"),
                    .address_map = cells.at("addr_map"),
                    .requests = count("requests"),
                    .time_ns = std::stod(cells.at("sim_ns")),
                    .bandwidth = std::stod(cells.at("bw_GBps")),
                    .latency_ns = number(cells.at("lat_avg_ns")),
                    .energy_nj = number(cells.at("energy_nJ")),
                    .activates = count("act"),
                    .precharges = count("pre"),
                    .reads = count("rd"),
                    .writes = count("wr"),
                    .refreshes = count("ref")});
  }
  return rows;
}

std::vector<ReferenceIdle> reference_idles() {
  std::vector<ReferenceIdle> rows;
  for (const auto& cells : read_csv("dram_idle_latency.csv")) {
    rows.push_back({cells.at("tool"), cells.at("config"), std::stod(cells.at("lat_closed_bank_ns")),
                    std::stod(cells.at("lat_row_hit_ns")), std::stod(cells.at("lat_row_conflict_ns"))});
  }
  return rows;
}

std::vector<ReferenceCommand> reference_commands(const std::string& run) {
  std::vector<ReferenceCommand> commands;
  for (const auto& cells : read_csv("dram_commands/" + run + ".csv")) {
    const auto count = [&](const char* column) { return static_cast<unsigned>(std::stoul(cells.at(column))); };
    commands.push_back({std::stoull(cells.at("clock")), cells.at("command"), count("BankGroup"), count("Bank"),
                        count("Row"), count("Column")});
  }
  return commands;
}

std::optional<ReferenceMachine> machine_of(const std::string& tool, const std::string& config) {
  const auto memory = memory_of(config);
  if (!memory) return std::nullopt;
  const auto standard = find_dram_standard_as(controller_of(tool), *memory);
  const auto controller = find_controller(controller_of(tool));
  ARCHSIM_ASSERT(standard && controller, "a file of configs/dram does not read");
  ReferenceMachine machine{*standard, *controller};
  if (config.ends_with("_FAW30")) {
    machine.standard.t_faw = {Cycles(64), "dram_configs"};
    machine.standard.t_rrd_s = machine.standard.t_rrd_l = {Cycles(16), "dram_configs"};
  }
  if (config.ends_with("_wckon")) machine.standard.syncs_data_clock = false;
  if (config == "DDR4_3200AA_frfcfs") machine.controller.prefers_row_hits = false;
  if (config == "LPDDR4_3200_frfcfs") machine.controller.write_high = machine.controller.write_low = 0;
  return machine;
}

DramProbe probe_of(const ReferenceRow& row, const ReferenceMachine& machine) {
  DramProbe probe{.standard = machine.standard, .controller = machine.controller};
  probe.controller.address_map = named_address_map(row.address_map);
  probe.pattern = enum_from<DramPattern>(row.pattern).value();
  probe.access = enum_from<DramAccess>(row.access).value();
  if (row.load != "sat") probe.load = std::stod(row.load);
  probe.requests = row.requests;
  return probe;
}

}  // namespace archsim
