// More of something is never slower.
#include <gtest/gtest.h>

#include <random>

#include "models/dram/banked.h"
#include "models/noc/topologies.h"
#include "tests/fresh_kernel.h"
#include "tests/models/noc/neighbours.h"

namespace archsim {
namespace {

/// The last end of a random but fixed sequence of extents, that arrive up to `spread` apart.
Time random_traffic(const NocParams& mesh_params, const BankedDramParams& dram_params, Time spread, unsigned seed) {
  MeshBench bench;
  for (unsigned i = 0; i < 4; ++i) bench.add_initiator("npu" + std::to_string(i), i, 0);
  bench.add_memory("dram", RegionKind::dram, 0, dram_params.capacity.value,
                   BankedDram::memory(dram_params, Frequency::zero()).interleave, 2);
  BankedDram dram("dram", dram_params, bench.context("dram", Frequency::zero()));
  bench.build(mesh_params);
  std::vector<std::unique_ptr<Initiator>> npus;
  for (unsigned i = 0; i < 4; ++i) {
    npus.push_back(std::make_unique<Initiator>(("npu" + std::to_string(i)).c_str()));
    npus.back()->port.bind(*bench.mesh->target_ports()[i]);
  }
  const auto ports = dram.target_ports();
  for (std::size_t i = 0; i < ports.size(); ++i) bench.mesh->initiator_ports()[i]->bind(*ports[i]);
  MeshBench::start();
  std::mt19937_64 random(seed);
  Time end = Time::zero(), arrival = Time::zero();
  for (int i = 0; i < 400; ++i) {
    const std::uint64_t rows = 1 + random() % 16, row_bytes = 64 * (1 + random() % 16);
    arrival += Time(random() % (spread.value + 1));
    const auto pitch = static_cast<std::int64_t>(row_bytes * (1 + random() % 3));
    const std::uint64_t base = random() % (1 << 24) / 64 * 64;
    end = std::max(end, npus[random() % 4]->send(base, row_bytes, rows, pitch, random() % 3 == 0, arrival).end);
  }
  return end;
}

class Monotone : public FreshKernel, public testing::WithParamInterface<unsigned> {
 protected:
  Time run(const NocParams& mesh, const BankedDramParams& dram, Time spread) {
    TearDown();
    SetUp();
    return random_traffic(mesh, dram, spread, GetParam());
  }
};

TEST_P(Monotone, WiderLinksAreNeverSlower) {
  Time before = Time(~std::uint64_t{0});
  for (const std::uint64_t width : {8, 16, 32, 64, 128}) {
    NocParams mesh;
    mesh.link_width = Bytes(width);
    const Time now = run(mesh, {}, 200_ns);
    EXPECT_LE(now, before) << width;
    before = now;
  }
}

// Saturated: with time to spare, the last access's own refresh or conflict decides the end.
TEST_P(Monotone, MoreChannelsAreNeverSlower) {
  Time before = Time(~std::uint64_t{0});
  for (const unsigned channels : {4, 8, 16}) {
    BankedDramParams dram;
    dram.channels = channels;
    const Time now = run({}, dram, Time::zero());
    EXPECT_LE(now, before) << channels;
    before = now;
  }
}

TEST_P(Monotone, AShorterRouterIsNeverSlower) {
  NocParams deep;
  deep.router = Router::r4;
  EXPECT_LE(run({}, {}, 200_ns), run(deep, {}, 200_ns));
}

INSTANTIATE_TEST_SUITE_P(Seeds, Monotone, testing::Range(1u, 9u));

}  // namespace
}  // namespace archsim
