// Counts x costs: energy, power and area of a machine, and of a run on it. Pure: the same counts and the same technology give the same
// numbers.
#pragma once

#include "arch/machine/price/ppa.h"
#include "arch/machine/run_result.h"
#include "arch/machine/soc_spec.h"

namespace archsim {

/// Whether intervals and contributors are worked out, which takes some hundred times as long.
enum class Bands { with, without };

/// The technology that the SoC asks for, with its overrides; `name`, if it is not empty, in place of the file's. An error if neither
/// names one.
Checked<Tech> tech_of(const SocSpec& spec, const std::string& name = {});

/// Located errors for every event that `tech` cannot price, such as those of a DRAM standard of an unknown family. Everything below
/// needs a machine without such.
Diagnostics unpriced(const SocSpec& spec);

/// Area, leakage and peak power of the machine: every block at the highest rate of all its events at once.
Ppa price(const SocSpec& spec, const Tech& tech, Bands bands = Bands::with);
/// The same, and energy of the run's events, leakage, clock and standing power over its time.
Ppa price(const RunResult& run, const SocSpec& spec, const Tech& tech, Bands bands = Bands::with);

}  // namespace archsim
