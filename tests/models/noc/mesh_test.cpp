#include <gmock/gmock.h>

#include <random>

#include "models/dram/banked.h"
#include "models/noc/topologies.h"
#include "models/sram/banked.h"
#include "tests/fresh_kernel.h"
#include "tests/models/noc/neighbours.h"

namespace archsim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t kBase = 0x8000'0000;

class MeshTest : public FreshKernel {
 protected:
  /// One initiator at (0, 0), `ports` standard-only targets behind an interleaved region in row 1.
  void build_plain(const Interleave& interleave, const NocParams& params = {}) {
    bench.add_initiator("npu0", 0, 0);
    bench.add_memory("mem", RegionKind::dram, kBase, 1 << 20, interleave, 1);
    bench.build(params);
    npu_module = std::make_unique<Initiator>("npu0");
    npu_module->port.bind(*bench.mesh->target_ports()[0]);
    for (unsigned port = 0; port < interleave.ports; ++port) {
      targets.push_back(std::make_unique<PlainTarget>(("mem" + std::to_string(port)).c_str(), 20_ns));
      bench.mesh->initiator_ports()[port]->bind(targets.back()->port);
    }
    MeshBench::start();
  }

  // Modules go before their kernel.
  void TearDown() override {
    targets.clear();
    npu_module.reset();
    bench.mesh.reset();
    FreshKernel::TearDown();
  }
  Initiator& npu() { return *npu_module; }

  MeshBench bench;
  std::unique_ptr<Initiator> npu_module;
  std::vector<std::unique_ptr<PlainTarget>> targets;
};

TEST_F(MeshTest, APlainPayloadTakesTheClosedFormsOfBothWays) {
  build_plain({.granule = 4096, .ways = 1, .ports = 1});
  std::vector<unsigned char> data(256);
  const Time request = 1_ns * (3 * 2 + 2);            // one flit over two routers
  const Time answer = 1_ns * (3 * 2 + 2 + 256 / 64);  // a head flit and 4 of payload
  EXPECT_EQ(npu().plain(kBase, data, false), request + 20_ns + answer);
  EXPECT_EQ(npu().plain(kBase, data, true, 1_us), 1_us + answer + 20_ns + request);
}

TEST_F(MeshTest, AHeaderOnWiresOfItsOwnTakesNoFlitOfTheData) {
  build_plain({.granule = 4096, .ways = 1, .ports = 1}, {.header = PacketHeader::side_wires});
  std::vector<unsigned char> data(256);
  const Time request = 1_ns * (3 * 2 + 2);
  const Time answer = 1_ns * (3 * 2 + 2 + (256 / 64 - 1));
  EXPECT_EQ(npu().plain(kBase, data, false), request + 20_ns + answer);
  EXPECT_EQ(npu().plain(kBase, data, true, 1_us), 1_us + answer + 20_ns + request);
}

TEST_F(MeshTest, AStandardOnlyTargetGetsPlainPiecesAndTheRightBytes) {
  const Interleave interleave{.granule = 64, .ways = 4, .ports = 4};
  build_plain(interleave);
  std::vector<unsigned char> row(200);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<unsigned char>(i + 1);
  ASSERT_TRUE(npu().send(kBase + 32, row.size(), 3, 256, true, Time::zero(), &row).is_ok);
  std::uint64_t bytes = 0;
  for (unsigned port = 0; port < 4; ++port) {
    for (const auto& piece : targets[port]->pieces) {
      EXPECT_TRUE(piece.is_write);
      EXPECT_EQ(interleave.port_of(piece.address - kBase), port);
      EXPECT_EQ(interleave.port_of(piece.address + piece.bytes - 1 - kBase), port);
      bytes += piece.bytes;
    }
  }
  EXPECT_EQ(bytes, 3u * 200);
  for (std::uint64_t i = 0; i < 3u * 256; ++i) {
    unsigned char byte = 0;
    targets[interleave.port_of(32 + i)]->contents.read(kBase + 32 + i, &byte, 1);
    EXPECT_EQ(byte, i % 256 < 200 ? i % 256 + 1 : 0) << i;
  }
  EXPECT_THAT(bench.faults.told, IsEmpty());
}

TEST_F(MeshTest, AStandardOnlyInitiatorReadsWhatItWroteOverSeveralPorts) {
  build_plain({.granule = 64, .ways = 4, .ports = 4});
  std::vector<unsigned char> written(500), read(500, 0);
  for (std::size_t i = 0; i < written.size(); ++i) written[i] = static_cast<unsigned char>(i * 7);
  EXPECT_GT(npu().plain(kBase + 100, written, true), Time::zero());
  EXPECT_GT(npu().plain(kBase + 100, read, false), Time::zero());
  EXPECT_EQ(read, written);
  EXPECT_EQ(targets[1]->pieces.front().bytes, 28u);  // 100 .. 128
}

TEST_F(MeshTest, AnAddressOutsideTheMapIsAFaultWithItsInitiator) {
  build_plain({.granule = 64, .ways = 1, .ports = 1});
  std::vector<unsigned char> data(64);
  EXPECT_EQ(npu().plain(0x1000, data, false), Time::zero());
  EXPECT_FALSE(npu().send(kBase + (1 << 20) - 64, 128, 1, 0, true).is_ok);
  EXPECT_THAT(bench.faults.told,
              ElementsAre("bad_address: npu0 reads 64 bytes at 0x1000, where nothing is mapped",
                          "bad_address: npu0 writes 128 bytes at 0x800fffc0, past the end of mem at 0x80100000"));
}

TEST_F(MeshTest, EveryRowReachesAStandardOnlyTargetWhateverThePitch) {
  build_plain({.granule = 128, .ways = 4, .ports = 2});
  std::mt19937_64 random(17);
  std::uint64_t asked = 0;
  for (int i = 0; i < 300; ++i) {
    const std::uint64_t rows = 1 + random() % 6, row_bytes = 1 + random() % 900;
    const std::int64_t pitch = static_cast<std::int64_t>(random() % 4000) - 2000;
    ASSERT_TRUE(npu().send(kBase + 100000 + random() % 1000, row_bytes, rows, pitch, false).is_ok);
    asked += rows * row_bytes;
  }
  std::uint64_t got = 0;
  for (const auto& target : targets) {
    for (const auto& piece : target->pieces) got += piece.bytes;
  }
  EXPECT_EQ(got, asked);
}

// Our own memories behind a mesh.
class MemoryTest : public FreshKernel {
 protected:
  void build(const NocParams& mesh = {}, const BankedDramParams& dram_params = {}, unsigned initiators = 4) {
    for (unsigned i = 0; i < initiators; ++i) bench.add_initiator("npu" + std::to_string(i), i, 0);
    const BankedSramParams l2_params;
    bench.add_memory("l2", RegionKind::l2, 0x1000'0000, l2_params.capacity.value,
                     BankedSram::memory(l2_params, 1_GHz).interleave, 1);
    bench.add_memory("dram", RegionKind::dram, kBase, dram_params.capacity.value,
                     BankedDram::memory(dram_params, Frequency::zero()).interleave, 2);
    l2 = std::make_unique<BankedSram>("l2", l2_params, bench.context("l2", 1_GHz));
    dram = std::make_unique<BankedDram>("dram", dram_params, bench.context("dram", Frequency::zero()));
    bench.build(mesh);
    for (unsigned i = 0; i < initiators; ++i) {
      npus.push_back(std::make_unique<Initiator>(("npu" + std::to_string(i)).c_str()));
      npus.back()->port.bind(*bench.mesh->target_ports()[i]);
    }
    std::vector<TargetPort*> ports = l2->target_ports();
    for (TargetPort* port : dram->target_ports()) ports.push_back(port);
    for (std::size_t i = 0; i < ports.size(); ++i) bench.mesh->initiator_ports()[i]->bind(*ports[i]);
    MeshBench::start();
  }

  void TearDown() override {
    npus.clear();
    l2.reset();
    dram.reset();
    bench.mesh.reset();
    FreshKernel::TearDown();
  }

  static double number(const BlockReport& report, const std::string& stat) {
    for (const auto& [name, value] : report.stats) {
      if (name == stat) return value;
    }
    ADD_FAILURE() << stat;
    return 0;
  }

  MeshBench bench;
  std::unique_ptr<BankedSram> l2;
  std::unique_ptr<BankedDram> dram;
  std::vector<std::unique_ptr<Initiator>> npus;
};

TEST_F(MemoryTest, BytesAreConservedAtEveryHop) {
  build();
  std::mt19937_64 random(29);
  std::uint64_t read = 0, written = 0;
  for (int i = 0; i < 3000; ++i) {
    const bool is_write = random() % 2 == 0;
    const std::uint64_t rows = 1 + random() % 40, row_bytes = 1 + random() % 2000, pitch = random() % 5000;
    const std::uint64_t base = random() % 2 == 0 ? 0x1000'0000 : kBase;
    const auto result = npus[random() % 4]->send(base + random() % 1000000, row_bytes, rows,
                                                 static_cast<std::int64_t>(pitch), is_write, 1_ns * (i * 100u));
    ASSERT_TRUE(result.is_ok);
    EXPECT_GE(result.end, 1_ns * (i * 100u) + 2_ns * (3 + 2));
    (is_write ? written : read) += rows * row_bytes;
  }
  EXPECT_THAT(bench.faults.told, IsEmpty());
  EXPECT_EQ(l2->served().read + dram->served().read, read);
  EXPECT_EQ(l2->served().written + dram->served().written, written);
  const BlockReport report = bench.mesh->report(1_ms);
  EXPECT_EQ(number(report, "read_bytes"), static_cast<double>(read));
  EXPECT_EQ(number(report, "written_bytes"), static_cast<double>(written));
  Traffic asked, delivered;
  for (const InitiatorReport& initiator : report.initiators) asked += initiator.traffic;
  ASSERT_EQ(report.targets.size(), 2u);
  for (const TargetReport& target : report.targets) delivered += target.traffic;
  EXPECT_EQ(asked, (Traffic{read, written}));
  EXPECT_EQ(delivered, asked);
  EXPECT_EQ(report.targets[0].traffic, l2->served());
  EXPECT_EQ(report.targets[1].traffic, dram->served());
}

TEST_F(MemoryTest, WaitingIsTheInitiatorsThatWaited) {
  build();
  // From a slice in its own column and row 1: the first alone, the second while its way is free but for the slice's port.
  const auto read = [&](unsigned npu) { return npus[npu]->send(0x1000'0000, 1024, 1, 0, false); };
  const Time alone = read(0).end;
  EXPECT_EQ(bench.mesh->report(1_ms).initiators[0].waited, Time::zero());
  const Time behind = read(1).end;
  const BlockReport report = bench.mesh->report(1_ms);
  ASSERT_EQ(report.initiators.size(), 4u);
  EXPECT_EQ(report.initiators[1].name, "npu1");
  EXPECT_EQ(report.initiators[0].waited, Time::zero());
  EXPECT_EQ(report.initiators[2].traffic, Traffic{});
  // npu1 is one hop further, there and back.
  const Time further = 2_ns * 3;
  EXPECT_GE(report.initiators[1].waited + l2->report(1_ms).initiators[1].waited, behind - alone - further);
  EXPECT_GT(report.initiators[1].waited, Time::zero());
  double all = 0.0;
  for (const InitiatorReport& initiator : report.initiators) all += seconds(initiator.waited);
  EXPECT_DOUBLE_EQ(all, number(report, "waited_s"));
}

TEST_F(MemoryTest, WhatAnExtentSpentIsItsTime) {
  build();
  for (const bool is_write : {false, true}) {
    const auto result = npus[0]->send(kBase + 512, 4096, 4, 16384, is_write, 10_us);
    Time spent = Time::zero();
    for (const auto& part : result.extent.spent) spent += time_of(part);
    EXPECT_EQ(spent, result.end - 10_us);
    EXPECT_GT(time_of(result.extent.spent[static_cast<std::size_t>(Resource::dram)]), Time::zero());
    EXPECT_GT(time_of(result.extent.spent[static_cast<std::size_t>(Resource::noc)]), Time::zero());
    EXPECT_GT(result.unloaded, 60_ns);  // a closed bank's 47.5 ns, the mesh twice
    EXPECT_LT(result.unloaded, 150_ns);
  }
}

TEST_F(MemoryTest, AReadOfL2StreamsAtTheInitiatorsLink) {
  build();
  const std::uint64_t bytes = 16384;
  const auto result = npus[0]->send(0x1000'0000, bytes, 1, 0, false);
  const std::uint64_t flits = bytes / 64 + bytes / 512;  // payload, and a head a burst
  const std::uint64_t nearest = 2 * (3 * 2 + 2), farthest = 2 * (3 * 5 + 2), latency = 4;
  EXPECT_GE(result.end, 1_ns * (nearest + latency + flits - 1));
  EXPECT_LE(result.end, 1_ns * (farthest + latency + flits));
}

/// Far apart, and a stripe of every channel further, so that streams which keep pace do not meet in a bank.
constexpr std::uint64_t kStream = (4 << 20) + 8 * 8192;

/// Extents of 16 KiB, each initiator its own stream, all sent at the start in turns; returns when each is done.
std::vector<Time> streams(std::vector<std::unique_ptr<Initiator>>& npus, unsigned active, std::uint64_t base,
                          std::uint64_t extents, std::uint64_t row_bytes, std::uint64_t rows, std::int64_t pitch,
                          bool is_write = false) {
  std::vector<Time> end(active, Time::zero());
  for (std::uint64_t i = 0; i < extents; ++i) {
    for (unsigned k = 0; k < active; ++k) {
      const auto result = npus[k]->send(base + k * kStream + i * 16384, row_bytes, rows, pitch, is_write);
      end[k] = std::max(end[k], result.end);
    }
  }
  return end;
}

/// Bytes a second in bursts of 512 B on a 64 B link at 1 GHz: eight flits of data behind a head flit.
constexpr double kLinkPayload = 512.0 / 9.0 * 1e9;

TEST_F(MemoryTest, OneInitiatorIsLimitedByItsLinkAndFourByTheDram) {
  build();
  const double bytes = 256.0 * 16384;
  const double one = bytes / seconds(streams(npus, 1, kBase, 256, 16384, 1, 0)[0]);
  EXPECT_NEAR(one, kLinkPayload, 0.03 * one);
}

TEST_F(MemoryTest, FourInitiatorsShareTheDramFairlyAndFillIt) {
  build();
  const auto ends = streams(npus, 4, kBase, 256, 16384, 1, 0);
  const double peak = BankedDram::memory({}, Frequency::zero()).delivered.value;
  for (const Time end : ends) EXPECT_NEAR(256.0 * 16384 / seconds(end), peak / 4, 0.04 * peak / 4);
}

TEST_F(MemoryTest, FourInitiatorsShareOnePortFairly) {
  build();
  const Dealing slices(1024, 4);  // one port each
  std::vector<Time> ends(4, Time::zero());
  for (std::uint64_t i = 0; i < 256; ++i) {
    for (unsigned k = 0; k < 4; ++k) {
      const std::uint64_t granule = slices.granule_in_round(i * 4 + k, 0);
      ends[k] = std::max(ends[k], npus[k]->send(0x1000'0000 + granule * 1024, 1024, 1, 0, false).end);
    }
  }
  const double share = kLinkPayload / 4;
  for (const Time end : ends) EXPECT_NEAR(256.0 * 1024 / seconds(end), share, 0.05 * share);
}

TEST_F(MemoryTest, EnginesShareTheElapsedTime) {
  build();
  const auto ends = streams(npus, 4, kBase, 64, 16384, 1, 0, true);
  const Time elapsed = *std::max_element(ends.begin(), ends.end());
  for (const Block* block : {static_cast<const Block*>(dram.get()), static_cast<const Block*>(l2.get()),
                             static_cast<const Block*>(bench.mesh.get())}) {
    for (const Time until : {elapsed, elapsed / 3}) {
      const BlockReport report = block->report(until);
      EXPECT_FALSE(report.engines.empty());
      for (const EngineReport& engine : report.engines) {
        Time sum = engine.busy + engine.idle;
        for (const auto& wait : engine.waits) sum += wait.second;
        EXPECT_EQ(sum, until) << report.name << "." << engine.name;
      }
    }
  }
  EXPECT_GT(seconds(dram->report(elapsed).engines[0].busy), 0.7 * seconds(elapsed));
}

}  // namespace
}  // namespace archsim
