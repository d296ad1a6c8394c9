// What a point's result depends on, as a digest: equal digests, equal results.
#pragma once

#include <string>

#include "sweep/space/space.h"

namespace archsim {

class PointDigest {
 public:
  /// Reads the plan's inputs: SoC file, traces, workload files, and the program's data files of memories, networks and recipes.
  PointDigest(const Plan& plan, const std::string& version, Fidelity fidelity);
  std::string operator()(const Variant& variant) const;

 private:
  std::string base_;
};

}  // namespace archsim
