// `bound` names the resource whose doubling shortens a stage most: each resource is doubled for good, and the runs compared.
#include <gtest/gtest.h>

#include "tests/doubled/doubled.h"
#include "tests/program_run/program.h"

namespace archsim {
namespace {

struct Machine {
  std::string name, soc;
  std::vector<std::string> settings, workload;
  std::string label;  // of some stage
};

void PrintTo(const Machine& machine, std::ostream* out) { *out << machine.name; }

class Labels : public testing::TestWithParam<Machine> {};

TEST_P(Labels, SaveWhatTheBestDoublingSaves) {
  const TemporaryFolder folder;
  const std::string trace = folder.file("tiny.trace");
  ASSERT_TRUE(make_trace("tiny.yaml", GetParam().workload, trace));
  const auto stages = double_each({.soc = GetParam().soc, .trace = trace, .settings = GetParam().settings});
  ASSERT_FALSE(stages.empty());
  bool is_seen = false;
  for (const DoubledStage& stage : stages) {
    EXPECT_TRUE(stage.holds()) << stage.name << ": " << stage.bound << " saves " << stage.label_s() << " s of "
                               << stage.time_s << " s, " << stage.best() << " " << stage.best_s() << " s";
    is_seen = is_seen || stage.bound == GetParam().label;
  }
  EXPECT_TRUE(is_seen) << "no stage is bound by " << GetParam().label;
}

const std::vector<std::string> kWide{"dtype=int8", "width=512", "mlp=1024", "tokens=256", "actions=64"};
const std::string kEdgeFile = "edge_lpddr5.yaml";

INSTANTIATE_TEST_SUITE_P(
    Each, Labels,
    testing::Values(Machine{"compute", kEdgeFile, {"npu.rows=16", "npu.cols=16"}, kWide, "compute"},
                    Machine{"vector", kEdgeFile, {"npu.vector_lanes=2"}, kWide, "vector"},
                    Machine{"dram", kEdgeFile, {"dram.channels=4", "dram.capacity=8 GiB"}, kWide, "dram"},
                    Machine{"noc", kEdgeFile, {"noc.link_width=8 B", "npu.dma.outstanding=64"}, kWide, "noc"},
                    Machine{"dma", kEdgeFile, {"npu.dma.outstanding=1"}, kWide, "dma"},
                    Machine{"cpu",
                            kEdgeFile,
                            {"clocks.cpu=10 MHz", "cpu.launch=0 us", "cpu.interrupt=0 us", "cpu.fork_join=0 us"},
                            {},
                            "cpu"},
                    Machine{"launch", kEdgeFile, {}, {}, "launch"}, Machine{"small", "rtl_small.yaml", {}, {}, "dma"}),
    [](const auto& machine) { return machine.param.name; });

}  // namespace
}  // namespace archsim
