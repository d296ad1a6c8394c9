#include "app/report/ppa/ppa_table.h"

#include <fmt/format.h>

namespace archsim {
namespace {

std::string spread(const Amount& value, double unit) {
  return fmt::format("{:.4g} ({:.4g} .. {:.4g})", value.nominal / unit, value.low / unit, value.high / unit);
}

std::string names(const std::vector<Contributor>& all) {
  std::string text;
  for (const Contributor& each : all) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", kCosts[static_cast<std::size_t>(each.cost)].name);
  }
  return text;
}

TextTable robot_table(const RobotMetrics& robot) {
  TextTable table{"a robot's view", {"<", "<"}, {}};
  const auto row = [&](const std::string& name, const std::string& text) { table.rows.push_back({name, text}); };
  row("efficiency", fmt::format("{:.4g} TOPS/W, at peak {:.4g} TOPS/W and {:.4g} TOPS/mm2", robot.tops_per_w,
                                robot.peak_tops_per_w, robot.peak_tops_per_mm2));
  row("energy x delay", fmt::format("{:.4g} mJ s", robot.energy_delay_js / 1e-3));
  if (robot.actions == 0) return table;
  row("actions", fmt::format("{}, each {} mJ, {:.4g} a joule", robot.actions, spread(robot.energy_per_action_j, 1e-3),
                             robot.actions_per_j));
  row("control", fmt::format("{} W at {:g} actions a second: inferring {:.1f} % of the time{}",
                             spread(robot.control_power_w, 1.0), robot.use.control_hz, 100.0 * robot.busy_share,
                             robot.busy_share > 1.0 ? ", so it does not keep up" : ""));
  row("battery", fmt::format("{:.4g} h of {:g} Wh", robot.battery_h, robot.use.battery_wh));
  row("a million actions",
      fmt::format("{:.4g} USD: energy at {:g} USD/kWh, the die over {:g} h", robot.usd_per_million_actions,
                  robot.use.energy_usd_per_kwh, robot.use.lifetime_h));
  return table;
}

TextTable totals(const std::string& title, const Ppa& ppa) {
  TextTable table{title, {"<", "<"}, {}};
  const auto row = [&](const std::string& name, const std::string& text) { table.rows.push_back({name, text}); };
  row("technology", fmt::format("{}: {} nm, {} V, {} K", ppa.tech, ppa.node_nm, ppa.voltage_v, ppa.temperature_k));
  if (ppa.has_run) {
    row("energy", spread(ppa.energy_j, 1e-3) + " mJ, of it DRAM " + fmt::format("{:.4g}", ppa.dram_energy_j / 1e-3));
    row("average power", spread(ppa.average_power_w, 1.0) + " W");
    if (const auto& power = ppa.power) {
      row("highest power", fmt::format("{:.4g} W over 1 us, {:.4g} over 10 us, {:.4g} over 1 ms", power->peak_1us_w,
                                       power->peak_10us_w, power->peak_1ms_w));
    }
  }
  row("peak power", spread(ppa.peak_power_w, 1.0) + " W, of it DRAM " + fmt::format("{:.4g}", ppa.dram_peak_power_w));
  row("leakage", spread(ppa.leakage_w, 1.0) + " W");
  row("area",
      spread(ppa.area_mm2, 1.0) + fmt::format(" mm2, of it {:.4g} pads, PLLs, test and spare", ppa.overhead_mm2));
  if (const auto& die = ppa.die) {
    row("good die", fmt::format("{} USD: {:.0f} dies of a wafer of {:.0f} USD, yield {:.1f} % at {:g} defects/cm2",
                                spread(die->cost_usd, 1.0), die->per_wafer, die->wafer_usd, 100.0 * die->yield,
                                die->defects_per_cm2));
  }
  row(ppa.has_run ? "energy hangs on" : "power hangs on", names(ppa.contributors));
  row("area hangs on", names(ppa.area_contributors));
  for (const std::string& name : ppa.not_priced) row("not priced", name);
  return table;
}

}  // namespace

std::vector<TextTable> ppa_tables(const std::string& title, const Ppa& ppa, const std::optional<RobotMetrics>& robot) {
  TextTable blocks{
      "blocks (low .. high: from the bands of the coefficients)", {"<block", "area mm2", "peak W", "leakage W"}, {}};
  if (ppa.has_run) blocks.header.emplace_back("energy mJ");
  for (const BlockPpa& block : ppa.blocks) {
    blocks.rows.push_back({block.name, spread(block.area_mm2, 1.0), spread(block.peak_power_w, 1.0),
                           fmt::format("{:.4g}", block.leakage_w)});
    if (ppa.has_run) blocks.rows.back().push_back(spread(block.energy_j, 1e-3));
  }
  std::vector<TextTable> tables{totals(title, ppa), blocks};
  if (robot) tables.push_back(robot_table(*robot));
  return tables;
}

TextTable sources_table(const Ppa& ppa) {
  TextTable table{
      "coefficients used", {"<coefficient", "low", "nominal", "high", "<unit", "<status", "share %", "<source"}, {}};
  for (const SourceUse& use : ppa.sources) {
    const CostLine& line = kCosts[static_cast<std::size_t>(use.cost)];
    const Band& band = use.coefficient.value;
    table.rows.push_back({std::string(line.name), fmt::format("{:.4g}", band.low), fmt::format("{:.4g}", band.nominal),
                          fmt::format("{:.4g}", band.high), std::string(line.unit), use.coefficient.status,
                          fmt::format("{:.1f}", 100.0 * use.energy_share), use.coefficient.text});
  }
  return table;
}

}  // namespace archsim
