// Which resource bounds a piece of work: the one whose doubling would shorten it most.
#pragma once

#include <string>

#include "arch/machine/lanes.h"

namespace archsim {

/// What doubling saves, as a part of the length as it is (RunResult::ends, OperatorRun::first and last); negative if it costs.
double saving(const Lanes& length, Doubling doubling);

/// compute vector sram dma noc dram cpu or launch; `dependency` if no doubling saves more than kNothing of it.
std::string bound_of(const Lanes& length);
constexpr double kNothing = 0.02;

}  // namespace archsim
