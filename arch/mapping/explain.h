// Why an operator was mapped as it was.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arch/mapping/planned.h"

namespace archsim {

struct Explanation {
  std::uint32_t main = 0;             // the operator that its group is called by
  std::vector<std::uint32_t> fused;   // all others of the group
  std::string pass;                   // that fused the operator asked for; empty: none did
  std::string runs_on;                // "the array of npu0, npu1", "the host"
  std::string why;                    // the param that decides, or why on the host
  std::uint64_t instances = 1;        // how often the group is executed
  std::vector<Candidate> candidates;  // chosen one first, then those that lost, quickest first; none without tiles
  bool is_quickest = true;            // else something else decided: a weight's layout, a mapping file
};

Explanation explain(const MachineView& machine, const Planned& planned, std::uint32_t op);

/// Which of its terms makes `other` slower than `chosen`, and by how many cycles.
std::string why_it_lost(const Candidate& other, const Candidate& chosen);

}  // namespace archsim
