// A cache of one slice before a memory that answers after a fixed time and has all the bandwidth there is.
#include "models/sram/cache/cache.h"

#include <gtest/gtest.h>

#include <random>

#include "models/sram/banked.h"
#include "tests/fresh_kernel.h"
#include "tests/models/noc/neighbours.h"
#include "tests/models/sram/cache/plain_cache.h"

namespace archsim {
namespace {

constexpr std::uint64_t kBase = 0x8000'0000, kDram = 1 << 20;
constexpr Time kAway = 200_ns;  // the memory's answer
constexpr std::uint64_t kLine = 128, kWord = 64;
constexpr std::uint64_t kLatency = 4;  // cycles of 1 ns: the cache's own

struct FarMemory : sc_core::sc_module {
  explicit FarMemory(const sc_core::sc_module_name& name) : sc_core::sc_module(name), port("port") {
    port.register_b_transport(this, &FarMemory::transport);
    port.register_transport_dbg(this, &FarMemory::debug);
  }
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    Extent& extent = *payload.get_extension<Extent>();
    (payload.is_write() ? written : read) += extent.bytes();
    ++transactions;
    delay += sc_time_of(kAway);
    extent.served_whole = true;
    extent.first_data = delay;
    extent.unloaded_latency += sc_time_of(kAway);
    extent.add(Resource::dram, sc_time_of(kAway));
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned debug(tlm::tlm_generic_payload& payload) {
    const std::uint64_t at = payload.get_address();
    payload.is_write() ? contents.write(at, payload.get_data_ptr(), payload.get_data_length())
                       : contents.read(at, payload.get_data_ptr(), payload.get_data_length());
    return payload.get_data_length();
  }
  tlm_utils::simple_target_socket<FarMemory> port;
  Contents contents;
  std::uint64_t read = 0, written = 0, transactions = 0;
};

class CacheTest : public FreshKernel {
 protected:
  void build(std::uint64_t capacity, const CacheParams& cache) {
    const Interleave whole{.granule = 4096, .ways = 1, .ports = 1};
    bench.map.regions.push_back({.block = "dram",
                                 .kind = RegionKind::dram,
                                 .base = kBase,
                                 .size = kDram,
                                 .interleave = whole,
                                 .front = CacheFront{.block = "l2", .interleave = whole}});
    BankedSramParams params;
    params.capacity = Bytes(capacity);
    params.slices = 1;
    params.mode = SramMode::cache;
    params.cache = cache;
    l2 = std::make_unique<BankedSram>("l2", params, bench.context("l2", 1_GHz));
    memory = std::make_unique<FarMemory>("dram");
    npu = std::make_unique<Initiator>("npu");
    npu->port.bind(*l2->target_ports()[0]);
    l2->initiator_ports()[0]->bind(memory->port);
    MeshBench::start();
  }
  void TearDown() override {
    npu.reset();
    memory.reset();
    l2.reset();
    FreshKernel::TearDown();
  }

  std::uint64_t stat(const std::string& name) const {
    for (const auto& [key, value] : l2->report(1_ms).stats) {
      if (key == name) return static_cast<std::uint64_t>(value);
    }
    ADD_FAILURE() << name;
    return 0;
  }
  /// How long a row takes that is asked for at `start`.
  Time take(std::uint64_t offset, std::uint64_t bytes, bool is_write, Time start) {
    return npu->send(kBase + offset, bytes, 1, 0, is_write, start).end - start;
  }
  void read(std::uint64_t offset, std::uint64_t bytes) { take(offset, bytes, false, now += 10_us); }
  void write(std::uint64_t offset, std::uint64_t bytes) { take(offset, bytes, true, now += 10_us); }

  MeshBench bench;
  std::unique_ptr<BankedSram> l2;
  std::unique_ptr<FarMemory> memory;
  std::unique_ptr<Initiator> npu;
  Time now = Time::zero();
};

TEST_F(CacheTest, HitsTakeTheBanksAlone) {
  build(64 << 10, {});
  read(0, 8192);
  EXPECT_EQ(take(0, 8192, false, 1_ms), 1_ns * (kLatency + 8192 / kWord - 1));
  EXPECT_EQ(stat("misses"), 8192 / kLine);
  EXPECT_EQ(stat("hits"), 8192 / kLine);
  EXPECT_EQ(memory->read, 8192u);
}

TEST_F(CacheTest, AMissGoesThereAfterTheLatencyAndIsForwarded) {
  build(64 << 10, {});
  // A line is asked for each cycle; the last one is passed on in the cycle after it is there.
  EXPECT_EQ(take(0, 32 * kLine, false, 1_us), 1_ns * kLatency + 1_ns * (32 - 1) + kAway + 1_ns);
  EXPECT_EQ(memory->read, 32 * kLine);
  EXPECT_EQ(memory->transactions, 1u);
}

TEST_F(CacheTest, MshrsBoundTheBandwidth) {
  for (const unsigned mshrs : {1, 2, 4, 8, 16, 32, 64}) {
    build(64 << 10, {.mshrs = mshrs});
    const std::uint64_t lines = 256;  // a multiple of all
    const Time took = take(0, lines * kLine, false, 1_us);
    // Waves of as many lines as there are MSHRs, a line a cycle in each.
    EXPECT_EQ(took, 1_ns * kLatency + kAway * (lines / mshrs) + 1_ns * (mshrs - 1) + 1_ns) << mshrs;
    const double bandwidth = static_cast<double>(lines * kLine) / seconds(took);
    EXPECT_NEAR(bandwidth / (mshrs * kLine / seconds(kAway)), 1.0, mshrs < 32 ? 0.02 : 0.1) << mshrs;
    EXPECT_EQ(stat("mshr_waits"), lines / mshrs - 1);  // the first of each wave; the others follow it
    TearDown();
    SetUp();
    bench = {};
  }
  build(64 << 10, {});
}

TEST_F(CacheTest, ACyclicStreamOfOneLineMoreThanItHoldsNeverHitsByLru) {
  const std::uint64_t ways = 32;
  build(ways * kLine, {.ways = ways});  // one set
  for (int round = 0; round < 4; ++round) read(0, ways * kLine);
  EXPECT_EQ(stat("hits"), 3 * ways);
  for (int round = 0; round < 4; ++round) read(0, (ways + 1) * kLine);
  EXPECT_EQ(stat("hits"), 3 * ways + ways);  // the first round finds the old ones
}

TEST_F(CacheTest, LinesOfOneSetDisplaceEachOther) {
  const std::uint64_t sets = 16;
  build(sets * 4 * kLine, {.ways = 4});
  const auto rounds_of = [&](std::uint64_t lines) {
    const std::uint64_t before = stat("hits");
    for (int round = 0; round < 3; ++round) {
      for (std::uint64_t i = 0; i < lines; ++i) read(i * sets * kLine, kLine);
    }
    return stat("hits") - before;
  };
  EXPECT_EQ(rounds_of(4), 2u * 4);
  EXPECT_EQ(rounds_of(5), 4u);  // those that were there, once
}

TEST_F(CacheTest, FifoForgetsWhatIsUsedAllTheTime) {
  build(4 * kLine, {.ways = 4, .replacement = Replacement::fifo});
  for (std::uint64_t i = 0; i < 4; ++i) read(i * kLine, kLine);
  read(0, kLine);
  read(4 * kLine, kLine);  // displaces line 0, which LRU would keep
  read(0, kLine);
  EXPECT_EQ(stat("hits"), 1u);
}

TEST_F(CacheTest, WhatIsWrittenLeavesWhenItIsDisplacedAndCoveredLinesAreNotFetched) {
  const std::uint64_t lines = 64;
  build(lines * kLine, {.ways = 4});
  write(0, 2 * lines * kLine);
  EXPECT_EQ(stat("writebacks"), lines);
  EXPECT_EQ(memory->written, lines * kLine);
  EXPECT_EQ(memory->read, 0u);
  write(4 * lines * kLine + 8, kLine);  // two halves of lines
  EXPECT_EQ(memory->read, 2 * kLine);
  EXPECT_EQ(memory->written, (lines + 2) * kLine);
}

TEST_F(CacheTest, WritesGoThroughAndTakeNoLine) {
  build(64 << 10, {.write = WritePolicy::write_through});
  EXPECT_EQ(take(0, kLine, true, 1_us), 1_ns * kLatency + kAway);
  write(40, 5);
  EXPECT_EQ(memory->written, kLine + 5);
  EXPECT_EQ(stat("hits"), 0u);
  read(0, kLine);
  write(0, 64);
  EXPECT_EQ(stat("hits"), 1u);
  EXPECT_EQ(memory->written, kLine + 5 + 64);
  EXPECT_EQ(stat("writebacks"), 0u);
}

TEST_F(CacheTest, AHitOnALineThatIsOnItsWayWaitsForIt) {
  build(64 << 10, {});
  const Time alone = take(0, kLine, false, 1_us);
  EXPECT_EQ(alone, 1_ns * kLatency + kAway + 1_ns);
  EXPECT_EQ(take(0, kLine, false, 1_us + 50_ns), alone - 50_ns);
  EXPECT_EQ(stat("late_hits"), 1u);
  EXPECT_EQ(memory->read, kLine);
}

TEST_F(CacheTest, AnAccessIsWhatItSpentHereAndThere) {
  build(64 << 10, {});
  const auto result = npu->send(kBase, 4096, 1, 0, false, 1_us);
  const auto spent = [&](Resource of) { return time_of(result.extent.spent[static_cast<std::size_t>(of)]); };
  EXPECT_EQ(spent(Resource::dram), kAway);
  EXPECT_EQ(spent(Resource::dram) + spent(Resource::sram), result.end - 1_us);
  EXPECT_EQ(result.extent.needs.dram_bytes, 4096u);
}

TEST_F(CacheTest, DataOfPlainPayloadsAreTheMemorys) {
  build(64 << 10, {});
  std::vector<unsigned char> written{1, 2, 3, 4, 5}, read(5), there(5);
  npu->plain(kBase + 77, written, true);
  npu->plain(kBase + 77, read, false, 10_us);
  memory->contents.read(kBase + 77, there.data(), 5);
  EXPECT_EQ(read, written);
  EXPECT_EQ(there, written);
}

/// Counts of the model and of the plain cache on the same random accesses.
TEST_F(CacheTest, CountsAreThoseOfAPlainCache) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 40; ++round) {
    CacheParams params;
    params.ways = static_cast<unsigned>(1 + random() % 9);
    params.line = Bytes(std::uint64_t{16} << random() % 5);
    params.mshrs = static_cast<unsigned>(1 + random() % 9);
    params.write = random() % 2 == 0 ? WritePolicy::write_back : WritePolicy::write_through;
    params.replacement = random() % 2 == 0 ? Replacement::lru : Replacement::fifo;
    const std::uint64_t sets = 1 + random() % 70, capacity = sets * params.ways * params.line.value;
    build(capacity, params);
    PlainCache plain(sets, params);
    std::uint64_t through = 0;
    for (int i = 0; i < 400; ++i) {
      const bool is_write = random() % 3 == 0;
      const std::uint64_t rows = 1 + random() % 4, bytes = 1 + random() % 700, pitch = random() % 2000;
      const std::uint64_t base = random() % (3 * capacity);
      npu->send(kBase + base, bytes, rows, static_cast<std::int64_t>(pitch), is_write, now += 100_ns);
      Extent extent;
      extent.base = base;
      extent.row_bytes = bytes;
      extent.rows = rows;
      extent.pitch = static_cast<std::int64_t>(pitch);
      const Rows joined = Rows::of(extent);
      for (std::uint64_t row = 0; row < joined.count; ++row) {
        plain.access(joined.base + row * joined.pitch, joined.bytes, is_write);
      }
      through += is_write && params.write == WritePolicy::write_through ? rows * bytes : 0;
    }
    EXPECT_EQ(stat("hits"), plain.hits) << round;
    EXPECT_EQ(stat("misses"), plain.misses) << round;
    EXPECT_EQ(stat("writebacks"), plain.writebacks) << round;
    EXPECT_EQ(memory->read, plain.fetches * params.line.value) << round;
    EXPECT_EQ(memory->written, plain.writebacks * params.line.value + through) << round;
    TearDown();
    SetUp();
    bench = {};
    now = Time::zero();
  }
  build(64 << 10, {});
}

}  // namespace
}  // namespace archsim
