// What tests of the zoo have in common: a workload of it, built and counted.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "arch/workload/count.h"
#include "tests/source_dir.h"
#include "traces/generate/generate.h"

namespace archsim {

using Settings = std::vector<std::string>;

/// Settings such as "cameras=2".
inline TraceCounts counts(const std::string& workload, const Settings& settings = {}) {
  const auto trace = build_trace(std::string(ARCHSIM_SOURCE_DIR) + "/traces/workloads/" + workload + ".yaml", settings);
  EXPECT_TRUE(trace) << workload << '\n' << render(trace.diagnostics());
  return trace ? count(*trace) : TraceCounts{};
}

inline const StageCounts* stage(const TraceCounts& counts, const std::string& name) {
  for (const auto& each : counts.stages) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

}  // namespace archsim
