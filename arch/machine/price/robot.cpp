#include "arch/machine/price/robot.h"

#include <algorithm>
#include <cmath>

namespace archsim {
namespace {

constexpr double kOperations = 2.0;  // of a MAC
constexpr double kTera = 1e12, kJoulesPerKwh = 3.6e6, kSecondsPerHour = 3600.0, kMillion = 1e6;

Amount operator*(const Amount& amount, double factor) {
  return {amount.low * factor, amount.nominal * factor, amount.high * factor};
}

double idle_w(const Ppa& ppa) {
  double joules = 0.0;
  for (const BlockPpa& block : ppa.blocks) {
    for (const auto& [event, energy] : block.energy_by_event_j) {
      if (event == "leakage" || event == "standing") joules += energy;
    }
  }
  return joules / ppa.time_s;
}

void add_actions(const Ppa& ppa, RobotMetrics& out) {
  const auto actions = static_cast<double>(out.actions);
  const double needed_s = actions / out.use.control_hz;  // new ones after so long
  const double cycle_s = std::max(needed_s, ppa.time_s);
  out.energy_per_action_j = ppa.energy_j * (1.0 / actions);
  out.actions_per_j = actions / ppa.energy_j.nominal;
  out.busy_share = ppa.time_s / needed_s;
  out.idle_w = idle_w(ppa);
  const double idle_j = out.idle_w * (cycle_s - ppa.time_s);
  out.control_power_w =
      Amount{ppa.energy_j.low + idle_j, ppa.energy_j.nominal + idle_j, ppa.energy_j.high + idle_j} * (1.0 / cycle_s);
  out.battery_h = out.use.battery_wh / out.control_power_w.nominal;
  const double action_s = cycle_s / actions;
  out.usd_per_million_actions =
      kMillion * out.control_power_w.nominal * action_s / kJoulesPerKwh * out.use.energy_usd_per_kwh;
  if (ppa.die && std::isfinite(ppa.die->cost_usd.nominal)) {
    out.usd_per_million_actions +=
        kMillion * ppa.die->cost_usd.nominal * action_s / (out.use.lifetime_h * kSecondsPerHour);
  }
}

}  // namespace

double peak_macs_per_s(const MachineView& machine) {
  double peak = 0.0;
  for (std::size_t i = 0; i < kDtypes; ++i) peak = std::max(peak, machine.peak_macs_per_second(static_cast<Dtype>(i)));
  return peak;
}

std::uint64_t actions_of(const Trace& trace) {
  const auto where = positions(trace);
  std::uint64_t actions = 0;
  for (std::size_t i = 0; i < trace.operators.size(); ++i) {
    const auto& op = trace.operators[i];
    if (op.type != OperatorType::action_postprocess) continue;
    const auto& tensor = trace.tensors[op.outputs[0].tensor];
    actions += tensor.elements() / tensor.shape.back() * where[i].instances;
  }
  return actions;
}

RobotMetrics robot_metrics(const Ppa& ppa, const WorkOfRun& work, const RobotUse& use) {
  RobotMetrics out{.use = use, .actions = work.actions};
  out.tops_per_w = kOperations * work.macs / kTera / ppa.energy_j.nominal;
  out.peak_tops_per_w = kOperations * work.peak_macs_per_s / kTera / ppa.peak_power_w.nominal;
  out.peak_tops_per_mm2 = kOperations * work.peak_macs_per_s / kTera / ppa.area_mm2.nominal;
  out.energy_delay_js = ppa.energy_j.nominal * ppa.time_s;
  if (work.actions > 0) add_actions(ppa, out);
  return out;
}

}  // namespace archsim
