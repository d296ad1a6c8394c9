// Small sweep files for tests.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "sweep/plan/plan.h"
#include "tests/source_dir.h"

namespace archsim {

/// The plan of a sweep over the edge SoC and a small trace, with `rest` behind; the test fails if it is not good.
inline Plan plan_of(const std::string& rest, const std::string& workload = "trace: tests/data/traces/tiny.trace\n") {
  std::filesystem::current_path(ARCHSIM_SOURCE_DIR);
  const std::string text = "sweep: test\nsoc: configs/soc/edge_lpddr5.yaml\n" + workload + rest;
  auto plan = read_plan(make_source("test.yaml", text));
  EXPECT_TRUE(plan) << render(plan.diagnostics()) << text;
  return plan ? *std::move(plan) : Plan{};
}

}  // namespace archsim
