// BookSim 2's runs (tests/data/noc_reference.csv), and ours by its rules: the same packets at the same times, the same periods.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/noc/probe/loaded_network.h"
#include "models/noc/probe/probe.h"

namespace archsim {

struct NocReferenceRow {
  NocProbe probe;
  bool is_throughput = false;  // measured without an end to its latency
  bool is_stable = true;       // else it was given up, and there are no numbers
  double packet_latency = 0.0, network_latency = 0.0, hops = 0.0, accepted = 0.0;

  std::string group() const;  // all but the rate
  std::string name() const;
};

std::vector<NocReferenceRow> noc_reference_rows();

/// Flits per node and cycle that a group carries at the lowest load that it cannot carry; by name of the group.
std::map<std::string, double> noc_saturation(const std::vector<NocReferenceRow>& rows);

/// Three periods of 2000 cycles to warm up, then periods until latency and accepted traffic have changed by less than 5 % three
/// times, ten in all at most; then until what was measured has arrived.
NocMeasured run_as_reference(const NocReferenceRow& row);

}  // namespace archsim
