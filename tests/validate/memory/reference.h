// The runs of three reference simulators (tests/data/dram_reference.csv, dram_idle_latency.csv, dram_commands/), and the probes
// of ours that stand for them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/dram/probe/probe.h"

namespace archsim {

struct ReferenceRow {
  std::string tool, config, pattern, access, load, address_map;
  std::uint64_t requests = 0;
  double time_ns = 0.0, bandwidth = 0.0;  // GB/s
  std::optional<double> latency_ns, energy_nj;
  std::uint64_t activates = 0, precharges = 0, reads = 0, writes = 0, refreshes = 0;

  std::string name() const { return config + " " + pattern + " " + access + " " + load + " " + address_map; }
};

struct ReferenceIdle {
  std::string tool, config;
  double closed_bank_ns = 0.0, row_hit_ns = 0.0, row_conflict_ns = 0.0;
};

struct ReferenceCommand {
  std::uint64_t clock = 0;
  std::string command;
  unsigned group = 0, bank = 0;
  std::uint32_t row = 0, column = 0;
};

std::vector<ReferenceRow> reference_rows();
std::vector<ReferenceIdle> reference_idles();
/// `run`: "DDR4_3200AA_seq_r".
std::vector<ReferenceCommand> reference_commands(const std::string& run);

/// The standard and controller that a tool's configuration is; nothing if we have none (a bus that is no real channel's).
struct ReferenceMachine {
  DramStandard standard;
  ControllerParams controller;
};
std::optional<ReferenceMachine> machine_of(const std::string& tool, const std::string& config);
DramProbe probe_of(const ReferenceRow& row, const ReferenceMachine& machine);

}  // namespace archsim
