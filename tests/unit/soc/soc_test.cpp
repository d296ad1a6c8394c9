#include "arch/soc/soc.h"

#include <gmock/gmock.h>

#include "tests/fresh_kernel.h"
#include "tests/unit/soc/small_machine.h"

namespace archsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr auto kSoc = R"(soc: tiny
clocks: {main: 1 GHz}
blocks:
  npu:  {kind: accel, model: reader, clock: main, count: 2}
  cpu:  {kind: cpu, model: idle, clock: main}
  dram: {kind: dram, model: store, ports: 2}
  noc:  {kind: noc, model: crossbar, clock: main, columns: 3, rows: 2}
)";

class SocTest : public FreshKernel {
 protected:
  RunResult run(const std::vector<std::string>& settings = {}, RunOptions options = {}) {
    const Catalog catalog = small::machine_catalog();
    const auto spec = read_soc(make_source("tiny.yaml", kSoc), settings, catalog);
    EXPECT_TRUE(spec) << render(spec.diagnostics());
    const Trace trace;
    Program program;
    program.accelerators.resize(2);
    return Soc(*spec, trace, program, std::move(options)).run();
  }
};

TEST_F(SocTest, RunsUntilNothingIsLeftToDo) {
  const RunResult result = run({"npu[1].reads=5"});
  EXPECT_FALSE(result.fault);
  EXPECT_EQ(result.time, 50_ns * 5 /* reads of npu1, one after the other */);
  ASSERT_EQ(result.blocks.size(), 5U);
  EXPECT_EQ(result.blocks[3].name, "dram");
  EXPECT_EQ(result.blocks[3].served.read, 3U * 4U /* npu0 */ + 5U * 4U /* npu1 */);
}

TEST_F(SocTest, AMachineInWhichNothingCanHappenIsADeadlockAndSaysWhoWaits) {
  const RunResult result = run({"npu[1].ending=waits_forever"});
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, FaultKind::deadlock);
  EXPECT_EQ(result.fault->block, "npu1");
  EXPECT_EQ(result.fault->time, 50_ns * 3);
  EXPECT_THAT(result.fault->waiting, ElementsAre("npu1.load waits for nobody"));
}

TEST_F(SocTest, AMachineThatMovesWithoutCompletingAnythingIsStoppedByTheWatchdog) {
  RunOptions options;
  options.watchdog = 1_ms;
  const RunResult result = run({"npu[0].ending=spins"}, options);
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, FaultKind::watchdog);
  EXPECT_EQ(result.fault->time, 50_ns * 3 /* reads */ + 1_us * 1999 /* its last move before the second look at 2 ms */);
}

TEST_F(SocTest, TheFirstFaultStopsTheRun) {
  const RunResult result = run({"npu[0].ending=faults", "npu[1].reads=1000"});
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, FaultKind::bad_address);
  EXPECT_EQ(result.time, 50_ns * 3);
}

TEST_F(SocTest, TheUserCanInterrupt) {
  RunOptions options;
  double last = -1.0;
  options.is_interrupted = [] { return true; };
  options.on_progress = [&](double fraction, Time) { last = fraction; };
  const RunResult result = run({"npu[0].ending=spins"}, options);
  EXPECT_TRUE(result.interrupted);
  EXPECT_FALSE(result.fault);
  EXPECT_EQ(last, -1.0) << "a program without operators has no share to tell";
}

TEST_F(SocTest, LostBytesAreABugOfOurs) {
  EXPECT_EXIT(run({"npu[0].ending=loses_a_byte"}), testing::ExitedWithCode(70), HasSubstr("of 24 bytes"));
}

}  // namespace
}  // namespace archsim
