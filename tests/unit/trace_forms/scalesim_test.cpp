#include "traces/export/scalesim.h"

#include <gmock/gmock.h>

#include <sstream>
#include <vector>

#include "arch/workload/count.h"
#include "tests/source_dir.h"
#include "tests/unit/workload/small_trace.h"
#include "traces/export/dot.h"
#include "traces/generate/generate.h"

namespace archsim {
namespace {

using testing::HasSubstr;

std::string workload(const std::string& name) {
  return std::string(ARCHSIM_SOURCE_DIR) + "/traces/workloads/" + name + ".yaml";
}

/// The numbers of each line behind the header, the way SCALE-Sim reads them: what follows the last comma is dropped.
std::vector<std::vector<std::uint64_t>> read_back(const std::string& csv) {
  std::vector<std::vector<std::uint64_t>> rows;
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::vector<std::string> cells;
    std::istringstream text(line);
    for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
    rows.emplace_back();
    for (std::size_t i = 1; i < cells.size(); ++i) rows.back().push_back(std::stoull(cells[i]));
  }
  return rows;
}

std::uint64_t gemm_macs(const std::string& csv) {
  std::uint64_t sum = 0;
  for (const auto& row : read_back(csv)) sum += row.at(0) * row.at(1) * row.at(2);
  return sum;
}

/// By SCALE-Sim's own formula for the size of the result: ceil((grid - filter + stride) / stride).
std::uint64_t conv_macs(const std::string& csv) {
  std::uint64_t sum = 0;
  for (const auto& row : read_back(csv)) {
    const auto places = [&](std::size_t d) { return (row.at(d) - row.at(d + 2) + 2 * row.at(6) - 1) / row.at(6); };
    sum += places(0) * places(1) * row.at(2) * row.at(3) * row.at(4) * row.at(5);
  }
  return sum;
}

class Zoo : public testing::TestWithParam<const char*> {};

TEST_P(Zoo, ProductsSumUpToTheMacsOfTheTrace) {
  const auto trace = build_trace(workload(GetParam()), {});
  ASSERT_TRUE(trace) << render(trace.diagnostics());
  const auto macs = count(*trace).macs;
  const auto gemm = scalesim_topology(*trace, {.form = ScaleSimForm::gemm});
  const auto conv = scalesim_topology(*trace, {.form = ScaleSimForm::conv});
  ASSERT_TRUE(gemm) << render(gemm.diagnostics());
  ASSERT_TRUE(conv) << render(conv.diagnostics());
  EXPECT_EQ(gemm_macs(*gemm), macs);
  EXPECT_EQ(conv_macs(*conv), macs);
}

INSTANTIATE_TEST_SUITE_P(Workloads, Zoo, testing::Values("pi0", "openvla", "smolvla", "resnet18", "act", "tiny"));

TEST(ScaleSim, AConvolutionHasItsPaddedGridWithoutWhatNoKernelReaches) {
  const auto trace = build_trace(workload("resnet18"), {});
  ASSERT_TRUE(trace);
  const auto rows = read_back(*scalesim_topology(*trace, {.form = ScaleSimForm::conv}));
  // 224 + 2 x 3 is 230, and 7 + 111 x 2 is 229: the last row and column are under no kernel.
  EXPECT_EQ(rows.at(0), (std::vector<std::uint64_t>{229, 229, 7, 7, 3, 64, 2}));
}

TEST(ScaleSim, OnceHasEachOperatorOnce) {
  const auto trace = build_trace(workload("llama2_7b_prefill"), {});
  ASSERT_TRUE(trace);
  const auto all = read_back(*scalesim_topology(*trace, {})).size();
  const auto once = read_back(*scalesim_topology(*trace, {.once = true})).size();
  EXPECT_GT(all, 30 * once / 2) << "32 layers";
}

TEST(ScaleSim, HeaderAndLinesEndInACommaBecauseItsReaderDropsTheLastCell) {
  const auto text = *scalesim_topology(small_trace(), {});
  EXPECT_THAT(text, testing::StartsWith("Layer,M,N,K,\n"));
  EXPECT_THAT(text, testing::EndsWith(",\n"));
}

TEST(Dot, HasANodeAnOperatorAndAFrameAStage) {
  const auto trace = small_trace();
  const auto text = dot_graph(trace);
  for (const auto& op : trace.operators) EXPECT_THAT(text, HasSubstr(" " + op.name + "\""));
  for (const auto& stage : trace.stages) EXPECT_THAT(text, HasSubstr("label=\"" + stage.name + " x "));
  EXPECT_THAT(text, HasSubstr("->"));
}

}  // namespace
}  // namespace archsim
