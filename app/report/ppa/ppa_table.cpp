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

TextTable totals(const std::string& title, const Ppa& ppa) {
  TextTable table{title, {"<", "<"}, {}};
  const auto row = [&](const std::string& name, const std::string& text) { table.rows.push_back({name, text}); };
  row("technology", fmt::format("{}: {} nm, {} V, {} K", ppa.tech, ppa.node_nm, ppa.voltage_v, ppa.temperature_k));
  if (ppa.has_run) {
    row("energy", spread(ppa.energy_j, 1e-3) + " mJ, of it DRAM " + fmt::format("{:.4g}", ppa.dram_energy_j / 1e-3));
    row("average power", spread(ppa.average_power_w, 1.0) + " W");
  }
  row("peak power", spread(ppa.peak_power_w, 1.0) + " W, of it DRAM " + fmt::format("{:.4g}", ppa.dram_peak_power_w));
  row("leakage", spread(ppa.leakage_w, 1.0) + " W");
  row("area",
      spread(ppa.area_mm2, 1.0) + fmt::format(" mm2, of it {:.4g} pads, PLLs, test and spare", ppa.overhead_mm2));
  row(ppa.has_run ? "energy hangs on" : "power hangs on", names(ppa.contributors));
  row("area hangs on", names(ppa.area_contributors));
  for (const std::string& name : ppa.not_priced) row("not priced", name);
  return table;
}

}  // namespace

std::vector<TextTable> ppa_tables(const std::string& title, const Ppa& ppa) {
  TextTable blocks{
      "blocks (low .. high: from the bands of the coefficients)", {"<block", "area mm2", "peak W", "leakage W"}, {}};
  if (ppa.has_run) blocks.header.emplace_back("energy mJ");
  for (const BlockPpa& block : ppa.blocks) {
    blocks.rows.push_back({block.name, spread(block.area_mm2, 1.0), spread(block.peak_power_w, 1.0),
                           fmt::format("{:.4g}", block.leakage_w)});
    if (ppa.has_run) blocks.rows.back().push_back(spread(block.energy_j, 1e-3));
  }
  return {totals(title, ppa), blocks};
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
