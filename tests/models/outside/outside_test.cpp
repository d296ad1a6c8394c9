// Modules that know only the TLM-2.0 standard, in a SoC: a target in place of `dram`, and an initiator beside the others.
#include "arch/block/outside/outside.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arch/block/catalog_entry.h"
#include "arch/machine/soc_spec.h"
#include "arch/mapping/map.h"
#include "arch/soc/soc.h"
#include "models/accel/cosim/matmul_trace.h"
#include "models/catalog.h"
#include "tests/fresh_kernel.h"
#include "tests/models/outside/standard_modules.h"

namespace archsim {
namespace {

struct TheirDramParams {
  Bytes capacity = 4_MiB;
  Time latency = 60_ns;
  unsigned ports = 1;
  bool waits = false;
  static constexpr auto fields() {
    using P = TheirDramParams;
    return fields_of(param<&P::capacity>("bytes").between(1_MiB, 64_MiB),
                     param<&P::latency>("of an access").between(1_ns, 1_ms),
                     param<&P::ports>("endpoints").between(1, 2), param<&P::waits>("inside of its transport"));
  }
};

class TheirDram : public OutsideMemory<TheirDramParams> {
 public:
  static constexpr std::string_view kSummary = "a memory from outside";
  TheirDram(const sc_core::sc_module_name& name, const TheirDramParams& params, const BuildContext& context)
      : OutsideMemory(name, params, context) {
    for (unsigned port = 0; port < params.ports; ++port) {
      drams_.emplace_back(("dram" + std::to_string(port)).c_str(), params.capacity.value, sc_time_of(params.latency),
                          params.waits ? outside::Dram::Style::waits : outside::Dram::Style::annotates);
      attach(drams_.back().socket, {.largest = 64});
    }
  }
  static MemoryCapabilities memory(const TheirDramParams& params, Frequency) {
    MemoryCapabilities can;
    can.capacity = params.capacity;
    can.interleave = {.granule = 1024, .ways = params.ports, .ports = params.ports};
    can.peak = can.delivered = Bandwidth(32e9 * params.ports);
    can.latency = params.latency;
    return can;
  }

 private:
  std::deque<outside::Dram> drams_;
};

struct TheirCameraParams {
  unsigned lines = 100;
  Bytes at = 2_MiB;
  static constexpr auto fields() {
    using P = TheirCameraParams;
    return fields_of(param<&P::lines>("of a frame").between(1, 10000),
                     param<&P::at>("offset in DRAM").between(0_KiB, 1_GiB));
  }
};

class TheirCamera : public OutsideInitiator<TheirCameraParams> {
 public:
  static constexpr std::string_view kSummary = "a camera from outside";
  TheirCamera(const sc_core::sc_module_name& name, const TheirCameraParams& params, const BuildContext& context)
      : OutsideInitiator(name, params, context), camera_("camera", params.lines, params.at.value) {
    attach(camera_.socket, context.map->of("dram", RegionKind::dram)->base);
  }
  bool finished() const override { return camera_.is_done && camera_.wrong_lines == 0; }

 private:
  outside::Camera camera_;
};

const Catalog& with_outside() {
  static const Catalog all = [] {
    Catalog more = catalog();
    more.add(catalog_entry<TheirDram>("dram", "theirs"));
    more.add(catalog_entry<TheirCamera>("camera", "theirs"));
    return more;
  }();
  return all;
}

class OutsideModules : public FreshKernel {
 protected:
  static std::string soc_text(const std::string& dram, const std::string& more = {}) {
    return "soc: mixed\n"
           "clocks: {npu: 500 MHz, noc: 500 MHz, cpu: 1 GHz}\n"
           "blocks:\n"
           "  cpu:  {kind: cpu, model: cluster, clock: cpu, cores: 1}\n"
           "  npu:  {kind: accel, model: systolic, clock: npu, rows: 8, cols: 8, dtypes: {int8: 1},\n"
           "         scratchpad: {capacity: 64 KiB, banks: 4, port_width: 16 B}, accumulator: 16 KiB}\n"
           "  noc:  {kind: noc, model: mesh, clock: noc, columns: 3, rows: 2, link_width: 32 B}\n"
           "  dram: {kind: dram, " +
           dram + "}\n" + more;
  }
  static constexpr const char* kTheirs = "model: theirs, clock: noc";
  static constexpr const char* kOurs = "model: banked, standard: lpddr5-6400, channels: 1, ports: 1, capacity: 64 MiB";
  static constexpr const char* kCamera = "  eye:  {kind: camera, model: theirs, clock: noc, lines: 400}\n";

  RunResult run(const std::string& text) {
    TearDown();
    SetUp();
    const Trace trace = matmul_trace(96, 200, 160);
    Diagnostics problems;
    const auto spec = read_soc(make_source("mixed.yaml", text), {}, with_outside());
    EXPECT_TRUE(spec.has_value()) << render(spec.diagnostics());
    const auto program = map(trace, machine_view(*spec));
    EXPECT_TRUE(program.has_value()) << render(program.diagnostics());
    return Soc(*spec, trace, *program).run();
  }
  static const BlockReport& block(const RunResult& result, const std::string& name) {
    return *std::find_if(result.blocks.begin(), result.blocks.end(), [&](const auto& b) { return b.name == name; });
  }
};

TEST_F(OutsideModules, ATargetReplacesTheDram) {
  const RunResult ours = run(soc_text(kOurs)), theirs = run(soc_text(kTheirs));
  ASSERT_FALSE(theirs.fault) << theirs.fault->what;
  const Traffic served = block(theirs, "dram").served;
  EXPECT_EQ(served, block(ours, "dram").served);
  EXPECT_GE(served.read, 96U * 160 + 160 * 200);
  EXPECT_GE(served.written, 96U * 200);
  // It takes an access of 64 bytes every 20 ns.
  EXPECT_GT(theirs.time, Time(20000 * (served.read + served.written) / 64));
}

TEST_F(OutsideModules, ItsLatencyIsInTheTime) {
  const RunResult fast = run(soc_text(kTheirs)), slow = run(soc_text(std::string(kTheirs) + ", latency: 5 us"));
  ASSERT_FALSE(slow.fault);
  EXPECT_GT(slow.time, fast.time + 10_us);  // a load and a store at the least
}

TEST_F(OutsideModules, ATargetMayWaitInside) {
  const RunResult annotates = run(soc_text(kTheirs)), waits = run(soc_text(std::string(kTheirs) + ", waits: true"));
  ASSERT_FALSE(waits.fault);
  EXPECT_EQ(block(waits, "dram").served, block(annotates, "dram").served);
  EXPECT_GT(waits.time, annotates.time);  // one access at a time
}

TEST_F(OutsideModules, TwoPortsAreTwoTargets) {
  const RunResult result = run(soc_text(std::string(kTheirs) + ", ports: 2"));
  ASSERT_FALSE(result.fault);
  const BlockReport& dram = block(result, "dram");
  ASSERT_EQ(dram.engines.size(), 2U);
  EXPECT_GT(dram.engines[0].busy, Time::zero());
  EXPECT_GT(dram.engines[1].busy, Time::zero());
}

/// It reads back what it wrote, through our NoC, from our DRAM and from theirs.
TEST_F(OutsideModules, AnInitiatorDrivesTheSoc) {
  for (const char* dram : {kOurs, kTheirs}) {
    const RunResult result = run(soc_text(dram, kCamera));
    ASSERT_FALSE(result.fault) << result.fault->what;  // a wrong line would leave it unfinished
    const Traffic requested = block(result, "eye").requested;
    EXPECT_EQ(requested.read, 400U * 640);
    EXPECT_EQ(requested.written, 400U * 640);
  }
}

TEST_F(OutsideModules, AnInitiatorSharesTheDram) {
  const RunResult alone = run(soc_text(kTheirs)), beside = run(soc_text(kTheirs, kCamera));
  EXPECT_GT(beside.operators.back().end, alone.operators.back().end);
}

TEST_F(OutsideModules, AnInitiatorBesideTheMapIsAFault) {
  const RunResult result = run(soc_text(kTheirs, "  eye: {kind: camera, model: theirs, clock: noc, at: 1 GiB}\n"));
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, FaultKind::bad_address);
  EXPECT_EQ(result.fault->block, "eye");
}

}  // namespace
}  // namespace archsim
