// Random small workloads on random small SoCs: no operator, stage or run ends before its bound.
#include <gtest/gtest.h>

#include <map>

#include "arch/machine/soc_spec.h"
#include "arch/mapping/map.h"
#include "arch/soc/soc.h"
#include "models/catalog.h"
#include "models/roofline/bound.h"
#include "tests/fresh_kernel.h"
#include "tests/properties/bound/random_soc.h"
#include "tests/random_trace/random_trace.h"

namespace archsim {
namespace {

class NoRunBeatsTheBound : public FreshKernel, public testing::WithParamInterface<unsigned> {};

TEST_P(NoRunBeatsTheBound, OnARandomSocAndTrace) {
  std::mt19937 random(GetParam());
  const auto text = random_soc(random);
  const auto trace = random_trace(GetParam());
  const auto spec = read_soc(make_source("random.yaml", text), {}, catalog());
  ASSERT_TRUE(spec) << render(spec.diagnostics()) << text;
  const auto machine = machine_view(*spec);
  const auto program = map(trace, machine);
  ASSERT_TRUE(program) << render(program.diagnostics()) << text;

  const auto result = Soc(*spec, trace, *program).run();
  ASSERT_FALSE(result.fault) << result.fault->what << "\n" << text;
  const auto lower = bound(trace, machine);
  EXPECT_LE(lower.time, result.time) << text;
  EXPECT_GT(lower.time, Time::zero());
  std::uint64_t moved = 0;
  for (const auto& block : result.blocks) {
    if (block.kind == "dram") moved += block.served.read + block.served.written;
  }
  EXPECT_LE(lower.dram_bytes.back(), moved) << text;

  std::map<std::pair<std::uint32_t, std::uint64_t>, Time> ends;
  for (const auto& run : result.operators) ends.insert({{run.operator_index, run.iteration}, run.end});
  const auto where = positions(trace);
  std::vector<Time> stage_ends(trace.stages.size(), Time::zero());
  for (const auto& op : lower.operators) {
    // A fused operator's work is done by its lead's commands.
    auto end = ends.find({op.operator_index, op.iteration});
    if (end == ends.end()) end = ends.find({program->operators[op.operator_index].lead, op.iteration});
    ASSERT_NE(end, ends.end()) << trace.operators[op.operator_index].name;
    EXPECT_LE(op.end, end->second) << trace.operators[op.operator_index].name << " " << op.iteration << "\n" << text;
    auto& stage = stage_ends[where[op.operator_index].stage];
    stage = std::max(stage, end->second);
  }
  for (std::size_t s = 0; s < stage_ends.size(); ++s) EXPECT_LE(lower.stages[s], stage_ends[s]) << "stage " << s;
}

INSTANTIATE_TEST_SUITE_P(Seeds, NoRunBeatsTheBound, testing::Range(1U, 61U));

}  // namespace
}  // namespace archsim
