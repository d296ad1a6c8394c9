// The bound of pi0 on machines of the README's sizes, against sums of named terms.
#include <gtest/gtest.h>

#include "arch/workload/count.h"
#include "models/roofline/bound.h"
#include "models/roofline/peaks.h"
#include "tests/source_dir.h"
#include "traces/generate/generate.h"

namespace archsim {
namespace {

Trace pi0(const std::string& dtype) {
  auto trace = build_trace(std::string(ARCHSIM_SOURCE_DIR) + "/traces/workloads/pi0.yaml", {"dtype=" + dtype});
  EXPECT_TRUE(trace.has_value());
  return *std::move(trace);
}

/// 4 x 64 x 64 at 1 GHz, 102.4 GB/s, 2 MiB and 512 KiB an accelerator, 16 MiB of l2; vector and host infinitely fast.
MachineView edge() {
  MachineView machine;
  AcceleratorCapabilities npu;
  npu.clock = 1_GHz;
  npu.rows = 64;
  npu.columns = 64;
  npu.macs_per_pe = {{Dtype::int8, 1.0}, {Dtype::bf16, 1.0}};
  npu.scratchpad = 2_MiB;
  npu.accumulator = 512_KiB;
  npu.vector_lanes = 1'000'000'000;
  for (std::size_t f = 0; f < kVectorFunctions; ++f)
    npu.vector_cycles_per_element[static_cast<VectorFunction>(f)] = 1.0;
  machine.accelerators.assign(4, npu);
  machine.dram.peak = Bandwidth(102.4e9);
  machine.l2 = MemoryCapabilities{.name = "l2", .capacity = 16_MiB};
  return machine;
}

constexpr double kMacsPerSecond = 4 * 64 * 64 * 1e9;
constexpr double kBytesPerSecond = 102.4e9;
constexpr double kFirstFrame = 480 * 640 * 3 / kBytesPerSecond;  // nothing can start before it has been read
constexpr double kVision = 110.088290304e9, kPrefill = 1666.248081408e9, kDeadPrefill = 91.713699840e9;

double once_macs(const Trace& trace, std::size_t stage) {
  return static_cast<double>(count(trace).stages[stage].once.macs);
}

/// Bytes of the flow's weights that are not claimed again in each step: those in front of the first layer's attention may be
/// used before the step before has ended, and behind the cut that drops the state token it is not sure which rows are left.
double bytes_not_claimed(const Trace& trace) {
  double bytes = 0.0;
  for (const std::string name : {"state_projection", "action_in", "time_mlp_in", "time_mlp_out", "layer.attention.norm",
                                 "layer.attention.q", "layer.attention.k", "layer.attention.v", "action_out"}) {
    for (std::size_t i = 0; i < trace.operators.size(); ++i) {
      if (trace.operators[i].name != "flow_step." + name) continue;
      bytes += static_cast<double>(count(trace).operators[i].weight_bytes);
    }
  }
  return bytes;
}

void expect_seconds(Time time, double expected, double tolerance = 1e-6) {
  EXPECT_NEAR(seconds(time), expected, tolerance * expected);
}

class Pi0Bound : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Dtypes, Pi0Bound, testing::Values("int8", "bf16"));

TEST_P(Pi0Bound, VisionAndPrefillTakeTheirMacs) {
  const auto found = bound(pi0(GetParam()), edge());
  const double vision = kFirstFrame + 3 * kVision / kMacsPerSecond;
  expect_seconds(found.stages[1], vision);
  // The prompt's rows do not wait for a frame.
  expect_seconds(found.stages[2], (3 * kVision + kPrefill) / kMacsPerSecond);
  EXPECT_GT(kPrefill / kMacsPerSecond, 0.1016);
}

TEST_P(Pi0Bound, FlowFetchesItsWeightsInEachStepBeyondTheChip) {
  const auto trace = pi0(GetParam());
  const auto flow = count(trace).stages[3].once;
  // The first step may run layer by layer under the prefill; its own MACs come on top of all live ones. The state token sees no actions.
  const double hidden = 18 * 2 * 8 * 256 * 50.0;
  const double first_step = (3 * kVision + kPrefill - kDeadPrefill + once_macs(trace, 3) - hidden) / kMacsPerSecond;
  const double on_chip = 16 * 1048576.0 + 4 * (2 * 1048576.0 + 512 * 1024.0) + 4 * 64 * 64 * 2 * 2.0;
  const double each = static_cast<double>(flow.weight_bytes) - bytes_not_claimed(trace) +
                      static_cast<double>(flow.kv_read_bytes) * 17 / 18 - on_chip;
  // Whether the last 32 KiB of weights are claimed depends on who cuts the rows, host or accelerator.
  expect_seconds(bound(trace, edge()).time, first_step + 9 * each / kBytesPerSecond, 5e-5);
}

}  // namespace
}  // namespace archsim
