// What a block is made of and what its events cost, as functions of a technology's coefficients. Models fill this in from their params
// (their static `costs`); arch/machine/price makes energy, power and area of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "arch/cost/shape.h"
#include "arch/cost/tech.h"

namespace archsim {

using CostFunction = std::function<double(const CostValues&)>;

/// One kind of event, in the order of the block's event table.
struct EventCost {
  CostFunction energy_pj;
  CostFunction delivery_pj = {};  // of it: what brings operands and takes results away; empty: nothing
  double peak_per_s = 0.0;        // no run counts more, over a time in which the block works all the while
  /// Events of one group share a resource: in any moment one of them has it. Empty: the event has its own.
  std::string group = {};
};

/// A piece of a block: what takes area, leaks, and is clocked.
struct Part {
  std::string name;  // "scratchpad"
  CostFunction area_mm2;
  CostFunction leakage_mw;  // at 350 K
  double register_bits = 0.0;
  /// An engine of the report: outside its busy time the clock is gated. Empty: it always is, what clocks its work being in the events.
  std::string busy_with = {};
  /// Drawn all the time beside leakage and clock: DRAM devices standing by. Empty: nothing.
  CostFunction standing_mw = {};
};

struct BlockCosts {
  std::vector<EventCost> events;
  std::vector<Part> parts;
  double clock_hz = 0.0;
  unsigned tiles = 0;    // of an interconnect: endpoints among which the die is divided
  bool is_chip = false;  // the die has pads for it
};

/// A coefficient times a number.
CostFunction fixed(Cost cost, double times = 1.0);
/// Logic of `gates` and, beside them, registers: area, leakage, clock.
Part logic_part(std::string name, CostFunction gates, double register_bits, std::string busy_with = {});
/// A memory's macros: area and leakage.
Part sram_part(std::string name, const SramShape& shape);

}  // namespace archsim
