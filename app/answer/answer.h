// What a run tells, as plain numbers: the rows of run.json, ops.csv and the printed table are made from this.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/account/gap.h"
#include "arch/machine/price/price.h"
#include "arch/machine/price/robot.h"
#include "arch/machine/run_result.h"
#include "arch/machine/soc_spec.h"
#include "arch/program/program.h"
#include "arch/workload/count.h"
#include "arch/workload/trace.h"
#include "models/roofline/bound.h"

namespace archsim {

struct OperatorRow {
  std::uint64_t index = 0;  // row number: in trace order, iterations in order
  std::uint32_t operator_index = 0;
  std::string stage;
  std::string repeat_path;  // "flow_step=3/layers=7"; only loops of more than one iteration
  std::string engine;       // array, vector, dma or host
  std::string fused_into;   // the operator whose commands do this one's work; empty if its own do
  Time start = Time::zero(), end = Time::zero();
  std::uint64_t macs = 0;
  std::uint64_t dram_bytes = 0;
  std::string bound;         // the resource whose doubling would shorten it most
  double utilization = 0.0;  // useful MACs over the peak of all arrays for its duration
  double energy_j = 0.0;     // of its events; 0 without a technology
};

struct StageRow {
  std::string name;
  std::uint64_t repeat = 1;
  Time time = Time::zero();  // from the end of the stage before to this one's
  std::uint64_t macs = 0;
  std::uint64_t dram_bytes = 0;
  std::string bound;
  Time lower_bound = Time::zero();
  double utilization = 0.0;
  double energy_j = 0.0;  // of its operators, and its part by time of what belongs to none
  Lanes length{0.0};      // by the what-if timing: without and with each resource doubled
};

struct HostRow {
  std::string name;
  std::uint64_t instances = 1;
  Time busy = Time::zero();
  std::string why;
};

struct Answer {
  Time time = Time::zero();
  Time lower_bound = Time::zero();
  double efficiency = 0.0;  // lower_bound / time
  TraceCounts counts;
  std::uint64_t dram_read_bytes = 0, dram_write_bytes = 0;
  std::string bound;  // the resource whose doubling would shorten the whole most
  GapAccount gap;     // what stands between lower_bound and time
  std::vector<StageRow> stages;
  std::vector<OperatorRow> operators;
  std::vector<HostRow> host;
  std::optional<Ppa> ppa;             // with a technology
  std::optional<RobotMetrics> robot;  // the same
};

struct RunInputs {
  const SocSpec& spec;
  const MachineView& machine;
  const Trace& trace;
  const Program& program;
  const Bound& bound;
  const Tech* tech = nullptr;  // none: counts, and no energy, power or area
};

/// Of a run without a fault.
Answer answer(const RunInputs& inputs, const RunResult& result);

}  // namespace archsim
