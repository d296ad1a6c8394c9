// The operators of a run with what was fused into them: one piece of work each, all its executed instances together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/pictures/run_file.h"

namespace archsim {

struct OperatorGroup {
  std::string name;                  // of the member with the most MACs, which says what the group is; else of the lead
  std::string lead;                  // the operator whose commands do the work
  std::vector<std::string> members;  // of the trace, by name
  std::string stage, engine, bound;  // bound: the label with the most time
  std::string dtype, operands;       // of the one that names the group; empty where the file does not tell
  std::uint64_t instances = 0, at_once = 1;
  double macs = 0.0, vector_elements = 0.0, dram_bytes = 0.0;
  double time_s = 0.0;  // in which the window of at least one instance is open: iterations done at once share one
  std::optional<double> energy_j;
};

/// Longest first.
std::vector<OperatorGroup> operator_groups(const RunFile& run);

}  // namespace archsim
