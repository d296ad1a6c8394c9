// What a run means to a robot: energy, time and money of an action.
#pragma once

#include <cstdint>

#include "arch/machine/capabilities.h"
#include "arch/machine/price/ppa.h"
#include "arch/workload/trace.h"

namespace archsim {

/// What no trace and no machine says.
struct RobotUse {
  double control_hz = 50.0;         // actions a second that the robot carries out
  double battery_wh = 100.0;        // that the SoC has to itself
  double lifetime_h = 20'000.0;     // of use, over which the die is paid
  double energy_usd_per_kwh = 0.2;  // charger and cell losses included
};

/// What was done, and what the machine could do at most.
struct WorkOfRun {
  std::uint64_t actions = 0;     // that the trace hands out; 0: it has no action_postprocess
  double macs = 0.0;             // of the run
  double peak_macs_per_s = 0.0;  // of the machine, in the type that it multiplies fastest
};

struct RobotMetrics {
  RobotUse use;
  std::uint64_t actions = 0;
  double tops_per_w = 0.0,
         peak_tops_per_w = 0.0;  // 2 operations a MAC; of the run's energy, and of peak rate and peak power
  double peak_tops_per_mm2 = 0.0;
  double energy_delay_js = 0.0;
  // With actions:
  Amount energy_per_action_j;
  double actions_per_j = 0.0;
  double busy_share = 0.0;  // of the time, inferring as often as new actions are needed; over 1: it cannot keep up
  Amount control_power_w;   // mean at that rate, or at the highest that it reaches; between inferences idle_w
  double idle_w = 0.0;      // leakage and standing power
  double battery_h = 0.0;
  double usd_per_million_actions = 0.0;  // energy, and the die's part if its cost is known
};

/// The highest rate of all arrays together, whatever the element type.
double peak_macs_per_s(const MachineView& machine);

/// Rows of what every action_postprocess hands out, all executions together.
std::uint64_t actions_of(const Trace& trace);

/// Needs a priced run.
RobotMetrics robot_metrics(const Ppa& ppa, const WorkOfRun& work, const RobotUse& use = {});

}  // namespace archsim
