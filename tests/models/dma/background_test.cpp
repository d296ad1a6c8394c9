// An accelerator's reads beside DMAs that take all they can get of the DRAM.
#include <gtest/gtest.h>

#include "models/dma/dma.h"
#include "models/dram/banked.h"
#include "models/dram/token_bucket.h"
#include "models/noc/topologies.h"
#include "tests/fresh_kernel.h"
#include "tests/models/noc/neighbours.h"

namespace archsim {
namespace {

constexpr std::uint64_t kBase = 0x8000'0000;
constexpr unsigned kCameras = 4;

TEST(TokenBucket, AdmitsItsDepthAndThenItsRate) {
  TokenBucket bucket(Bandwidth(1e9), 1000_B);  // a byte a nanosecond
  EXPECT_EQ(bucket.admit(1_us, 600), 1_us);
  EXPECT_EQ(bucket.admit(1_us, 600), 1_us);           // 400 B of the depth are left, and one access more may go
  EXPECT_EQ(bucket.admit(1_us, 100), 1_us + 200_ns);  // when what is over has drained
  EXPECT_EQ(bucket.admit(1_us, 100), 1_us + 300_ns);
  EXPECT_EQ(bucket.admit(10_us, 1000), 10_us);  // full again
  EXPECT_EQ(bucket.admit(10_us, 1), 10_us);
  EXPECT_EQ(bucket.admit(10_us, 1), 10_us + 1_ns);
}

class Background : public FreshKernel {
 protected:
  struct Outcome {
    Time worst = Time::zero();
    InitiatorReport victim, camera;
    double peak = 0.0;
  };
  /// Reads of 4 KiB, one every 5 us, with `cameras` DMAs beside them.
  Outcome run(unsigned cameras, const BackgroundParams& background) {
    MeshBench bench;
    bench.add_initiator("npu", 0, 0);
    for (unsigned i = 0; i < cameras; ++i) bench.add_initiator("camera", i, 2);
    BankedDramParams dram_params;
    dram_params.background = background;
    const auto can = BankedDram::memory(dram_params, Frequency::zero());
    bench.add_memory("dram", RegionKind::dram, kBase, dram_params.capacity.value, can.interleave, 1);
    BankedDram dram("dram", dram_params, bench.context("dram", Frequency::zero()));
    bench.build({});
    Initiator npu("npu");
    npu.port.bind(*bench.mesh->target_ports()[0]);
    std::vector<std::unique_ptr<StandAloneDma>> dmas;
    for (unsigned i = 0; i < cameras; ++i) {
      DmaParams params;
      params.outstanding = 64;
      params.reads = {false};
      params.row = {1_GiB};
      params.destination = {Bytes(std::uint64_t{1 + i} << 30)};
      dmas.push_back(std::make_unique<StandAloneDma>(("camera" + std::to_string(i)).c_str(), params,
                                                     bench.context("camera", 1_GHz)));
      dmas.back()->initiator_ports()[0]->bind(*bench.mesh->target_ports()[1 + i]);
    }
    for (unsigned port = 0; port < can.interleave.ports; ++port) {
      bench.mesh->initiator_ports()[port]->bind(*dram.target_ports()[port]);
    }
    Outcome outcome{.peak = can.peak.value};
    for (unsigned i = 0; i < 60; ++i) {
      sc_core::sc_start(sc_time_of(5_us));
      outcome.worst = std::max(outcome.worst, npu.send(kBase + i * 65536, 4096, 1, 0, false).end);
    }
    EXPECT_TRUE(bench.faults.told.empty());
    const auto initiators = dram.report(1_ms).initiators;
    outcome.victim = initiators.front();
    if (cameras > 0) outcome.camera = initiators.back();
    EXPECT_EQ(initiators.size(), cameras > 0 ? 2u : 1u);
    EXPECT_EQ(dram.served().read, outcome.victim.traffic.read);
    EXPECT_EQ(dram.served().written, outcome.camera.traffic.written);
    return outcome;
  }
  template <class Check>
  void with(unsigned cameras, const BackgroundParams& background, Check check) {
    check(run(cameras, background));
    TearDown();
    SetUp();
  }
};

TEST_F(Background, AShareOfTheDramBoundsWhatTheOthersWaitFor) {
  const BackgroundParams held{.share = 0.1, .burst = 4_KiB};
  Outcome alone, free_for_all, shared;
  with(0, {}, [&](const Outcome& outcome) { alone = outcome; });
  with(kCameras, {}, [&](const Outcome& outcome) { free_for_all = outcome; });
  with(kCameras, held, [&](const Outcome& outcome) { shared = outcome; });
  // Ahead of a read are at most the depth and one piece of 32 KiB, sent at the peak; a row each to open, write to read and
  // one refresh (280 ns) come on top.
  const Time bound =
      alone.worst + Time(static_cast<std::uint64_t>((4096 + 32768) / alone.peak * 1e12)) + 280_ns + 200_ns;
  EXPECT_LE(shared.worst, bound);
  EXPECT_GT(free_for_all.worst, bound);
  EXPECT_LT(shared.victim.waited, free_for_all.victim.waited);
  EXPECT_EQ(shared.victim.traffic.read, 60u * 4096);
}

TEST_F(Background, TakesItsShareAndNoMore) {
  for (const double share : {0.05, 0.2}) {
    with(kCameras, {.share = share, .burst = 4_KiB}, [&](const Outcome& outcome) {
      const double part = static_cast<double>(outcome.camera.traffic.written) / (300e-6 * outcome.peak);
      // Beside its share, a piece of each camera may be on its way.
      EXPECT_NEAR(part, share, 0.01 + kCameras * 32768 / (300e-6 * outcome.peak));
      EXPECT_GT(outcome.camera.waited, outcome.victim.waited);
    });
  }
}

}  // namespace
}  // namespace archsim
