// A DMA before a memory of fixed latency and bandwidth.
#include "models/dma/dma.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "arch/block/timing/calendar.h"
#include "tests/fresh_kernel.h"
#include "tests/models/noc/neighbours.h"

namespace archsim {
namespace {

constexpr std::uint64_t kBase = 0x8000'0000;
constexpr Time kLatency = 500_ns;
constexpr std::uint64_t kBytesAPicosecond = 32;  // in 1,000: 32 GB/s

/// Notes when it was asked for what.
struct PacedMemory : sc_core::sc_module {
  struct Asked {
    std::uint64_t offset, bytes;
    bool is_write;
    Time at, done;
  };
  explicit PacedMemory(const sc_core::sc_module_name& name) : sc_core::sc_module(name), port("port") {
    port.register_b_transport(this, &PacedMemory::transport);
  }
  static Time time_for(std::uint64_t bytes) { return Time(bytes * 1000 / kBytesAPicosecond); }
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    Extent& extent = *payload.get_extension<Extent>();
    const Time start = time_of(sc_core::sc_time_stamp() + delay);
    const Time burst = time_for(std::min<std::uint64_t>(extent.burst_bytes, extent.row_bytes));
    const auto booking = busy_.book(start + kLatency - burst, time_for(extent.bytes()));
    extent.served_whole = true;
    extent.first_data = sc_time_of(booking.begin) - sc_core::sc_time_stamp();
    extent.unloaded_latency += sc_time_of(kLatency);
    extent.burst_takes(sc_time_of(burst));
    delay = sc_time_of(booking.end) - sc_core::sc_time_stamp();
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    asked.push_back({extent.base - kBase, extent.bytes(), payload.is_write(), start, booking.end});
  }
  tlm_utils::simple_target_socket<PacedMemory> port;
  std::vector<Asked> asked;

 private:
  Calendar<Time> busy_;
};

class DmaTest : public FreshKernel {
 protected:
  void run(const DmaParams& params, Time time) {
    bench.map.regions.push_back(
        {.block = "dram", .kind = RegionKind::dram, .base = kBase, .size = std::uint64_t{1} << 40, .interleave = {}});
    dma = std::make_unique<StandAloneDma>("dma", params, bench.context("dma", 1_GHz));
    memory = std::make_unique<PacedMemory>("dram");
    dma->initiator_ports()[0]->bind(memory->port);
    sc_core::sc_start(sc_time_of(time));
  }
  void TearDown() override {
    dma.reset();
    memory.reset();
    bench = {};
    FreshKernel::TearDown();
  }
  double stat(const std::string& name) const {
    for (const auto& [key, value] : dma->report(1_ms).stats) {
      if (key == name) return value;
    }
    ADD_FAILURE() << name;
    return 0;
  }
  /// Bytes read or written from `offset` on, below 1 GiB further.
  std::uint64_t bytes_from(std::uint64_t offset, bool is_write = false) const {
    std::uint64_t bytes = 0;
    for (const auto& asked : memory->asked) {
      const bool is_there = asked.offset >= offset && asked.offset - offset < (1 << 30);
      bytes += is_there && asked.is_write == is_write ? asked.bytes : 0;
    }
    return bytes;
  }

  MeshBench bench;
  std::unique_ptr<StandAloneDma> dma;
  std::unique_ptr<PacedMemory> memory;
};

TEST_F(DmaTest, BandwidthIsThatOfTheMemoryOrOfTheBurstsUnderWay) {
  for (const bool writes : {false, true}) {
    for (unsigned outstanding = 1; outstanding <= 64;
         outstanding = outstanding < 4 ? outstanding + 1 : outstanding * 2) {
      DmaParams params;
      params.outstanding = outstanding;
      params.reads = {!writes};
      params.writes = {writes};
      params.row = {1_GiB};
      const Time time = 400_us;
      run(params, time);
      const double bandwidth = static_cast<double>(bytes_from(0, writes)) / seconds(time);
      const double peak = kBytesAPicosecond * 1e9, window = outstanding * 512.0 / seconds(kLatency);
      EXPECT_NEAR(bandwidth / std::min(peak, window), 1.0, 0.02) << outstanding;
      TearDown();
      SetUp();
    }
  }
}

TEST_F(DmaTest, EveryByteOfATransferOfThreeDimensionsIsReadOnce) {
  DmaParams params;
  params.writes = {false};
  params.row = {700_B};
  params.rows = {13};
  params.row_pitch = {1000_B};
  params.planes = {3};
  params.plane_pitch = {50000_B};
  params.period = {1_ms};
  run(params, 500_us);
  EXPECT_EQ(bytes_from(0), 700u * 13 * 3);
  Pieces pieces({.row_bytes = 700, .rows = 13, .planes = 3, .row_pitch = 1000, .plane_pitch = 50000}, 2048);
  std::set<std::uint64_t> rows;
  while (!pieces.is_done()) {
    const Piece piece = pieces.next();
    EXPECT_LE(piece.bytes(), 2048u);
    for (std::uint64_t row = 0; row < piece.rows; ++row) {
      rows.insert(piece.base + row * static_cast<std::uint64_t>(piece.pitch));
    }
  }
  EXPECT_EQ(rows.size(), 13u * 3);
  for (const std::uint64_t row : rows) EXPECT_EQ(row % 50000 % 1000, 0u);
}

TEST_F(DmaTest, APeriodIsKeptAndLateTransfersAreCounted) {
  DmaParams params;
  params.reads = {false, true};
  params.writes = {true, false};
  params.row = {8_KiB, 1_MiB};  // the second takes 33 us of the memory
  params.source = {1_GiB};
  params.period = {100_us, 20_us};
  run(params, 1000_us);
  EXPECT_EQ(bytes_from(0, true), 10u * 8192);
  EXPECT_EQ(memory->asked.front().at, 32_ns);  // set-up
  EXPECT_GE(stat("late"), 15);
  EXPECT_GT(stat("longest_s"), 40e-6);
}

TEST_F(DmaTest, ACopyWritesWhatItHasRead) {
  DmaParams params;
  params.row = {64_KiB};
  params.destination = {1_GiB};
  params.period = {1_ms};
  run(params, 900_us);
  EXPECT_EQ(bytes_from(0), 65536u);
  EXPECT_EQ(bytes_from(1 << 30, true), 65536u);
  std::map<std::uint64_t, Time> read;
  for (const auto& asked : memory->asked) {
    if (!asked.is_write) read.emplace(asked.offset, asked.done);
    if (!asked.is_write) continue;
    EXPECT_GE(asked.at, read.at(asked.offset - (1 << 30)));
  }
  EXPECT_EQ(stat("transfers"), 1);
}

TEST_F(DmaTest, TheHigherPriorityTakesAllItWantsAndEqualsShare) {
  DmaParams params;
  params.reads = {true, true};
  params.writes = {false};
  params.row = {1_GiB};
  params.source = {0_B, 2_GiB};
  run(params, 400_us);
  const auto first = static_cast<double>(bytes_from(0));
  EXPECT_NEAR(first, static_cast<double>(bytes_from(std::uint64_t{2} << 30)), 2 * 8192);
  TearDown();
  SetUp();
  params.priority = {0, 1};
  run(params, 400_us);
  EXPECT_LE(bytes_from(0), 8192u);  // the piece that it began with
  EXPECT_NEAR(static_cast<double>(bytes_from(std::uint64_t{2} << 30)), 2 * first, 4 * 8192);
}

TEST_F(DmaTest, AFenceWaitsForAllEarlierTransfers) {
  for (const bool fenced : {false, true}) {
    DmaParams params;
    params.reads = {false, true};
    params.writes = {true, false};
    params.row = {256_KiB, 64_B};
    params.source = {2_GiB};
    params.period = {1_ms};
    params.fenced = {false, fenced};
    run(params, 500_us);
    Time written = Time::zero(), read = Time::zero();
    for (const auto& asked : memory->asked) {
      if (asked.is_write) written = std::max(written, asked.done);
      if (!asked.is_write) read = asked.at;
    }
    EXPECT_EQ(read >= written, fenced);
    EXPECT_EQ(stat("fence_waited_s") > 0, fenced);
    TearDown();
    SetUp();
  }
}

}  // namespace
}  // namespace archsim
