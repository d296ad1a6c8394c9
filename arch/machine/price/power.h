// Power over the time of a run, from what each operator took and when.
#pragma once

#include <vector>

#include "arch/machine/price/ppa.h"
#include "arch/machine/run_result.h"

namespace archsim {

/// What is drawn between two moments, evenly.
struct EnergySpan {
  double start_s = 0.0, end_s = 0.0, energy_j = 0.0;
};

/// `background_w` for all of `time_s`, and the spans within it. The integral of the series is the energy.
PowerOverTime power_over_time(double time_s, double background_w, std::vector<EnergySpan> spans);

/// Of a priced run. An operator's work on accelerators is spread over the time from its start to its end. Its share of the memories and the
/// interconnect ends there too, and begins earlier if its bytes take longer at `dram_bytes_per_s` or kept load engines busy for longer: they
/// came ahead. What belongs to no operator is spread over the whole run.
PowerOverTime power_over_time(const RunResult& run, const Ppa& ppa, double dram_bytes_per_s);

}  // namespace archsim
