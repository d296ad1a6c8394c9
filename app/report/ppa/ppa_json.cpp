#include "app/report/ppa/ppa_json.h"

#include <nlohmann/json.hpp>

#include "arch/cost/die.h"

namespace archsim {
namespace {

using Json = nlohmann::ordered_json;

Json amount(const Amount& value) {
  if (value.low == value.nominal && value.high == value.nominal) return value.nominal;
  return {{"low", value.low}, {"nominal", value.nominal}, {"high", value.high}};
}

Json named(const Named& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) json[name] = value;
  return json;
}

template <class Value>
Json by_block(const Ppa& ppa, Value value) {
  Json json = Json::object();
  for (const BlockPpa& block : ppa.blocks) json[block.name] = value(block);
  return json;
}

std::string_view name_of_cost(Cost cost) { return kCosts[static_cast<std::size_t>(cost)].name; }

Json contributors(const std::vector<Contributor>& all) {
  Json json = Json::array();
  for (const Contributor& each : all)
    json.push_back({{"coefficient", name_of_cost(each.cost)}, {"down", each.down}, {"up", each.up}});
  return json;
}

Json sources(const Ppa& ppa) {
  Json json = Json::array();
  for (const SourceUse& use : ppa.sources) {
    const Band& band = use.coefficient.value;
    json.push_back({{"coefficient", name_of_cost(use.cost)},
                    {"unit", kCosts[static_cast<std::size_t>(use.cost)].unit},
                    {"low", band.low},
                    {"nominal", band.nominal},
                    {"high", band.high},
                    {"status", use.coefficient.status},
                    {"source", use.coefficient.text},
                    {"share", use.energy_share}});
  }
  return json;
}

Json die_of(const DieCost& die) {
  const DieAssumptions assumed;
  return {{"dies_per_wafer", die.per_wafer},
          {"yield", die.yield},
          {"cost_usd", amount(die.cost_usd)},
          {"assumed",
           {{"wafer_usd", die.wafer_usd},
            {"defects_per_cm2", die.defects_per_cm2},
            {"yield_model", "negative binomial"},
            {"defect_clustering", assumed.defect_clustering},
            {"wafer_mm", assumed.wafer_mm},
            {"edge_mm", assumed.edge_mm},
            {"scribe_mm", assumed.scribe_mm},
            {"test_and_package", "not included"}}}};
}

Json power_of(const PowerOverTime& power) {
  return {{"average_w", power.average_w},   {"peak_1us_w", power.peak_1us_w}, {"peak_10us_w", power.peak_10us_w},
          {"peak_1ms_w", power.peak_1ms_w}, {"interval_s", power.interval_s}, {"watts", power.watts}};
}

Json robot_of(const RobotMetrics& robot) {
  Json json{{"tops_per_w", robot.tops_per_w},
            {"peak_tops_per_w", robot.peak_tops_per_w},
            {"peak_tops_per_mm2", robot.peak_tops_per_mm2},
            {"energy_delay_js", robot.energy_delay_js},
            {"actions", robot.actions}};
  if (robot.actions == 0) return json;
  json["energy_per_action_j"] = amount(robot.energy_per_action_j);
  json["actions_per_j"] = robot.actions_per_j;
  json["busy_share"] = robot.busy_share;
  json["energy_per_control_second_j"] = amount(robot.control_power_w);
  json["idle_w"] = robot.idle_w;
  json["battery_h"] = robot.battery_h;
  json["usd_per_million_actions"] = robot.usd_per_million_actions;
  json["assumed"] = {{"control_hz", robot.use.control_hz},
                     {"battery_wh", robot.use.battery_wh},
                     {"lifetime_h", robot.use.lifetime_h},
                     {"energy_usd_per_kwh", robot.use.energy_usd_per_kwh}};
  return json;
}

}  // namespace

Json ppa_json(const Ppa& ppa, const std::optional<RobotMetrics>& robot) {
  Json json{
      {"tech", ppa.tech}, {"node_nm", ppa.node_nm}, {"voltage_v", ppa.voltage_v}, {"temperature_k", ppa.temperature_k}};
  if (ppa.has_run) {
    json["energy_j"] = amount(ppa.energy_j);
    json["average_power_w"] = amount(ppa.average_power_w);
    json["dram_energy_j"] = ppa.dram_energy_j;
  }
  json["peak_power_w"] = amount(ppa.peak_power_w);
  json["dram_peak_power_w"] = ppa.dram_peak_power_w;
  json["leakage_w"] = amount(ppa.leakage_w);
  json["area_mm2"] = amount(ppa.area_mm2);
  json["overhead_mm2"] = ppa.overhead_mm2;
  if (ppa.die) json["die"] = die_of(*ppa.die);
  if (ppa.power) json["power"] = power_of(*ppa.power);
  if (robot) json["robot"] = robot_of(*robot);
  if (ppa.has_run) {
    json["energy_by_block_j"] = by_block(ppa, [](const BlockPpa& block) { return amount(block.energy_j); });
    json["energy_by_event_j"] = by_block(ppa, [](const BlockPpa& block) { return named(block.energy_by_event_j); });
    if (!ppa.operators_j.empty()) json["unattributed_j"] = named(ppa.unattributed_j);
  }
  json["peak_power_by_block_w"] = by_block(ppa, [](const BlockPpa& block) { return amount(block.peak_power_w); });
  json["leakage_by_block_w"] = by_block(ppa, [](const BlockPpa& block) { return block.leakage_w; });
  json["area_by_block_mm2"] = by_block(ppa, [](const BlockPpa& block) { return amount(block.area_mm2); });
  json["area_by_part_mm2"] = by_block(ppa, [](const BlockPpa& block) { return named(block.area_by_part_mm2); });
  json["not_priced"] = ppa.not_priced;
  json["contributors"] = contributors(ppa.contributors);
  json["area_contributors"] = contributors(ppa.area_contributors);
  json["sources"] = sources(ppa);
  return json;
}

}  // namespace archsim
