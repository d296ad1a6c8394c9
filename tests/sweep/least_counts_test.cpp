// The energy that fidelity `roofline` tells, against what a simulation counts and costs.
#include "sweep/run/least_counts.h"

#include <gmock/gmock.h>

#include "arch/machine/price/price.h"
#include "arch/mapping/map.h"
#include "arch/soc/soc.h"
#include "models/catalog.h"
#include "models/roofline/bound.h"
#include "tests/source_dir.h"
#include "traces/generate/generate.h"

namespace archsim {
namespace {

const std::string kRoot = std::string(ARCHSIM_SOURCE_DIR) + "/";

std::uint64_t count_of(const RunResult& run, const std::string& kind, const std::string& event) {
  std::uint64_t sum = 0;
  for (const auto& block : run.blocks) {
    for (const auto& [name, count] : block.events) sum += block.kind == kind && name == event ? count : 0;
  }
  return sum;
}

TEST(LeastCounts, AreAtMostThoseOfASimulationAndCostLess) {
  const auto source = read_source(kRoot + "configs/soc/edge_lpddr5.yaml");
  ASSERT_TRUE(source);
  const auto spec = read_soc(*source, {}, catalog());
  ASSERT_TRUE(spec) << render(spec.diagnostics());
  const auto machine = machine_view(*spec);
  const auto trace = build_trace(kRoot + "traces/workloads/tiny.yaml", {"dtype=int8"}, {});
  ASSERT_TRUE(trace) << render(trace.diagnostics());
  const auto program = map(*trace, machine);
  ASSERT_TRUE(program);
  const RunResult run = Soc(*spec, *trace, *program, {}).run();
  ASSERT_FALSE(run.fault);

  const Bound least = bound(*trace, machine);
  const auto where = positions(*trace);
  const auto peaks = operator_peaks(*trace, machine);
  const RunResult counts = least_counts(*spec, machine, {*trace, where, peaks, least.time, least.dram_bytes.back()});
  EXPECT_GT(count_of(counts, "accel", "mac_int8"), 0U);
  for (const char* event : {"mac_int8", "mac_bf16"}) {
    EXPECT_LE(count_of(counts, "accel", event), count_of(run, "accel", event)) << event;
  }
  EXPECT_LE(count_of(counts, "dram", "burst_read"),
            count_of(run, "dram", "burst_read") + count_of(run, "dram", "burst_written"));

  const auto tech = tech_of(*spec);
  ASSERT_TRUE(tech) << render(tech.diagnostics());
  const double lower = price(counts, *spec, *tech, Bands::without).energy_j.nominal;
  const double real = price(run, *spec, *tech, Bands::without).energy_j.nominal;
  EXPECT_GT(lower, 0.0);
  EXPECT_LT(lower, real);
}

}  // namespace
}  // namespace archsim
